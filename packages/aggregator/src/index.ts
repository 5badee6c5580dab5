export type { Span, Traced, Tracing } from '#base/tracing'
export { createFileJournal } from '#journal/file-journal'
export {
  type Journal,
  type JournalLine,
  type JournalLoss,
  journalKinds,
  journalLine,
  noJournal,
  refusals,
} from '#journal/journal'
export { createFileJournalReader, type JournalReader } from '#journal/journal-reader'
export type { JournalTail } from '#journal/journal-tail'
export { createObservableJournal, type ObservableJournal } from '#journal/observable-journal'
export type { JournalSearch } from '#journal/search-journal'
export { type Usage, usage } from '#journal/tally'
export { type UsageGroup, type UsageReport, usageGroups, usageOf } from '#journal/usage'
export {
  createUsageOverTime,
  type UsageInterval,
  type UsageOverTime,
  type UsageSeries,
  usageIntervals,
} from '#journal/usage-series'
export { createBoundedFetch } from '#oauth/bounded-fetch'
export { listenForCallback } from '#oauth/callback-listener'
export { createEncryptionKey, type EncryptionKeyOptions } from '#oauth/encryption-key'
export { createFileTokenStore, type FileTokenStoreOptions } from '#oauth/file-token-store'
export { createPublicCallbacks, type PublicCallbacks } from '#oauth/public-callbacks'
export { createSignIns, type SignInState, type SignIns } from '#oauth/sign-ins'
export type { SignInsOptions } from '#oauth/sign-ins-options'
export { createMemoryTokenStore, type TokenStore } from '#oauth/token-store'
export { describeSandbox } from '#sandbox/describe-sandbox'
export type { SandboxReport } from '#sandbox/port/sandbox'
export { sandboxOf } from '#sandbox/sandbox-of'
export { mixedWords } from '#scan/lookalikes'
export { reviewSentences, type Sentence } from '#scan/review-sentences'
export { withoutFence } from '#scan/server-text'
export type { AggregatorSettings } from '#servers/config/aggregator-settings'
export { configSchema } from '#servers/config/config-schema'
export type { LimitSettings } from '#servers/config/limit-settings'
export type { ProfileSettings } from '#servers/config/profile-settings'
export { type AggregatorConfig, readConfig } from '#servers/config/read-config'
export {
  type HttpServer,
  type ServerConfig,
  type StdioServer,
  unitsOf,
} from '#servers/config/server-config'
export { AggregatorError, type AggregatorErrorCode } from '#servers/protocol/aggregator-error'
export { escapeInvisible } from '#servers/protocol/escape-invisible'
export { replicaOf } from '#servers/protocol/handles'
export { nearestOf } from '#servers/protocol/nearest-of'
export type { Remedies } from '#servers/protocol/remedies'
export { type Access, type Mode, modes, sessionKey } from '#servers/protocol/request-context'
export { qualifiedName, safeName } from '#servers/protocol/server-account'
export { commandSecret } from '#servers/secrets/command-secret'
export { fileSecret } from '#servers/secrets/file-secret'
export { looksRandom, secretsIn, secretsInArgs } from '#servers/secrets/find-secrets'
export { createKeychain, type Keychain, keychainSecret } from '#servers/secrets/keychain'
export { createRedactor } from '#servers/secrets/redactor'
export { createSeal, type Seal } from '#servers/secrets/seal'
export type { SecretSource, SecretSources } from '#servers/secrets/secret-sources'
export { type Approval, type Grant, grants } from './call/approval/approval.ts'
export {
  type ApprovalStore,
  createFileApprovalStore,
  createMemoryApprovalStore,
} from './call/approval/approval-store.ts'
export { type Approvals, createApprovals } from './call/approval/approvals.ts'
export { outcomeOf } from './call/journal/call-record.ts'
export { inMemoryRateLimiter } from './call/limits/rate-limiter.ts'
export type { SharedLimits } from './call/limits/shared-limits.ts'
export { defaultResultLimits, type ResultStore } from './call/results/result-store.ts'
export { createResultFiles, createResultStore } from './call/results/tiered-result-store.ts'
export type { CatalogEntry } from './catalog/entries/catalog-entry.ts'
export { type CatalogStore, createMemoryCatalogStore } from './catalog/entries/catalog-store.ts'
export { createFileCatalogStore } from './catalog/entries/file-catalog-store.ts'
export { hidingBy, isOffered } from './catalog/policy/tool-rules.ts'
export { signatureOf, summaryOf } from './catalog/signature.ts'
export { approveTool, forgetTool } from './catalog/trust/approve.ts'
export { diffOf } from './catalog/trust/diff.ts'
export { createFilePinStore } from './catalog/trust/file-pin-store.ts'
export { isMarked, type Mark } from './catalog/trust/marks.ts'
export { causesOf, isOnlyNew, type NewTools } from './catalog/trust/new-tools.ts'
export {
  copyOfPins,
  createMemoryPinStore,
  emptyPins,
  type PinnedServer,
  type PinStore,
} from './catalog/trust/pin.ts'
export { isPinOf, waitingIn } from './catalog/trust/unreviewed.ts'
export { isRunning } from './files/is-running.ts'
export { createAggregator } from './server/aggregator.ts'
export type { Aggregator, AggregatorOptions } from './server/aggregator-options.ts'
export { createHttpHandler, type HttpHandler } from './server/serve-http.ts'
export { type StdioEndpoint, serveStdio } from './server/serve-stdio.ts'
export type { Receipt } from './tools/list-modes/receipt.ts'
