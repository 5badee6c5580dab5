export { type Aggregator, type AggregatorOptions, createAggregator } from './aggregator.ts'
export { AggregatorError, type AggregatorErrorCode } from './aggregator-error.ts'
export type { CatalogEntry } from './catalog/catalog-entry.ts'
export { type CatalogStore, createMemoryCatalogStore } from './catalog/catalog-store.ts'
export { createFileCatalogStore } from './catalog/file-catalog-store.ts'
export type { AggregatorSettings } from './config/aggregator-settings.ts'
export { type AggregatorConfig, readConfig } from './config/read-config.ts'
export {
  type HttpServer,
  type ServerConfig,
  type StdioServer,
  unitName,
  unitsOf,
} from './config/server-config.ts'
export { type Mode, modes } from './disclosure/disclosure.ts'
export type { Receipt } from './disclosure/receipt.ts'
export { signatureOf, summaryOf } from './disclosure/signature.ts'
export { createFileJournal } from './journal/file-journal.ts'
export { createHeardJournal, type HeardJournal } from './journal/heard-journal.ts'
export { type Journal, type JournalLine, type JournalLoss, noJournal } from './journal/journal.ts'
export { readJournal } from './journal/read-journal.ts'
export { type JournalSearch, searchJournal } from './journal/search-journal.ts'
export type { Usage } from './journal/tally.ts'
export { type UsageGroup, type UsageReport, usageGroups, usageOf } from './journal/usage.ts'
export {
  createUsageOverTime,
  type UsageInterval,
  type UsageOverTime,
  type UsageSeries,
  usageIntervals,
} from './journal/usage-series.ts'
export { countInRedis, type SharedCounts } from './limits/count-in-redis.ts'
export type { LimitSettings } from './limits/limits.ts'
export { createHttpHandler, type HttpHandler } from './mcp/serve-http.ts'
export { type StdioServing, serveStdio } from './mcp/serve-stdio.ts'
export { nearestOf } from './names/nearest-of.ts'
export { safeName } from './names/safe-name.ts'
export { createEncryptionKey, type EncryptionKeyOptions } from './oauth/encryption-key.ts'
export { createFileTokenStore, type FileTokenStoreOptions } from './oauth/file-token-store.ts'
export {
  createSignIns,
  type SignInState,
  type SignIns,
  type SignInsOptions,
} from './oauth/sign-ins.ts'
export { createMemoryTokenStore, type TokenStore } from './oauth/token-store.ts'
export type { Access } from './policy/access.ts'
export type { ProfileSettings } from './policy/profile.ts'
export { isRunning } from './process/is-running.ts'
export { createResultStore } from './results/kept-results.ts'
export type { ResultStore } from './results/result-store.ts'
export type { SandboxReport } from './sandbox/sandbox.ts'
export { sandboxOf } from './sandbox/sandbox-of.ts'
export { saySandbox } from './sandbox/say-sandbox.ts'
export { createMeaningSearch, type MeaningSearch } from './search/meaning-search.ts'
export { embedBy } from './search/openai-embeddings.ts'
export { type VectorStore, vectorStoreIn } from './search/vector-store.ts'
export { commandSecret } from './secrets/command-secret.ts'
export { fileSecret } from './secrets/file-secret.ts'
export { createKeychain, type Keychain, keychainSecret } from './secrets/keychain.ts'
export type { SecretSource, SecretSources } from './secrets/secret-sources.ts'
export type { Span, Traced, Tracing } from './tracing/tracing.ts'
export { approveTool, forgetTool } from './trust/approve.ts'
export { diffOf } from './trust/diff.ts'
export { createFilePinStore } from './trust/file-pin-store.ts'
export { createMemoryPinStore, type PinnedServer, type PinStore } from './trust/pin.ts'
