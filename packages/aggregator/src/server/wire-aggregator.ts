import { type Journal, type JournalLine, noJournal } from '#journal/journal'
import { withOAuth } from '#oauth/with-oauth'
import type { Connect } from '#servers/connection/connection'
import { type Mode, modes } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { secretsIn } from '#servers/secrets/find-secrets'
import { createRedactor } from '#servers/secrets/redactor'
import { createMemoryApprovalStore } from '../call/approval/approval-store.ts'
import { createApprovals } from '../call/approval/approvals.ts'
import { createEffects } from '../call/effects/effects.ts'
import { createRecentCalls } from '../call/journal/recent-calls.ts'
import { createListRecorder } from '../call/journal/record-list.ts'
import { createLimits } from '../call/limits/limits.ts'
import type { Budgets } from '../call/results/document.ts'
import { createResults } from '../call/results/results.ts'
import { createResultStore } from '../call/results/tiered-result-store.ts'
import { createTaskIds } from '../call/stages/task-ids.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { createMemoryPinStore } from '../catalog/trust/pin.ts'
import { createTrust, type Trust } from '../catalog/trust/trust.ts'
import type { Listed } from '../catalog/trust/twins.ts'
import { metaTools } from '../tools/all-meta-tools.ts'
import { defaultBatchLimits } from '../tools/batch/batch-limits.ts'
import { createListModes, type ListModes } from '../tools/list-modes/list-modes.ts'
import { createToolMeaning } from '../tools/search/rank-by-meaning.ts'
import { createToolSearch } from '../tools/search/tool-search.ts'
import type { Asked } from '../upstream/questions.ts'
import { withSecrets } from '../upstream/with-secrets.ts'
import type { AggregatorOptions } from './aggregator-options.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import { reportTask } from './methods/tasks.ts'

/** The SDK's client is loaded with the first server, so that lists are answered immediately. */
const connectBySdk: Connect = async (options) =>
  (await import('../upstream/transport/connect.ts')).connect(options)

const defaultBudgets: Budgets = {
  reply: { characters: 20_000, tokens: 10_000 },
  first: { characters: 4_000, tokens: 1_000 },
}

/** The parts of an aggregator, connected. */
export function wireAggregator(options: AggregatorOptions, mode: Mode) {
  const { journal = noJournal, sharedLimits, signIns } = options
  const secrets = createRedactor()
  secrets.learn(secretsOfSettings(options), true)
  const onLog = (text: string): void => options.onLog?.(secrets.redact(text))
  const trust = createJournaledTrust(options, journal, onLog, () => gateway)
  const gateway: Gateway = createTrustedGateway(options, mode, {
    trust,
    secrets,
    onLog,
    reportTask: (state, uri, session) =>
      void reportTask(state, uri, session, deps).catch(({ message }) => onLog(message)),
    onAsked: (question) => void journal.write(lineOfQuestion(question, secrets.redact)),
  })
  const store = options.resultStore ?? createResultStore()
  const results = createResults(
    store,
    {
      reply: { ...defaultBudgets.reply, ...options.results },
      first: { ...defaultBudgets.first, ...options.firstPages },
    },
    options.resultFiles,
  )
  const limits = createLimits({ callers: options.callers, ...options.limits }, sharedLimits)
  const batchLimits = { ...defaultBatchLimits, ...options.batch }
  const toolSearch = createToolSearch(trust, createToolMeaning(options.embeddings, onLog))
  const taskIds = createTaskIds(options.replica)
  const approvals = createApprovals(options.approvalStore ?? createMemoryApprovalStore())
  const { redact } = secrets
  const effects = options.effects && createEffects({ ...options.effects, journal })
  const tools = {
    gateway,
    limits,
    taskIds,
    approvals,
    effects,
    redact,
    batchLimits,
    toolSearch,
    settings: options,
  }
  const listModes = Object.fromEntries(
    modes.map((listMode) => [listMode, createListModes(listMode, tools)] as const),
  ) as Record<Mode, ListModes>
  const lists = createListRecorder(journal)
  const deps: HandlerDeps = {
    gateway,
    limits,
    lists,
    onLog,
    listModes: listModes[mode],
    listModesBy: listModes,
    results,
    taskIds,
    approvals,
    effects,
    redact,
    recording: { journal, redact, recent: createRecentCalls() },
    tracing: options.tracing,
  }
  const unsubscribes = [
    signIns?.onSecrets((values) => secrets.learn(values, true)),
    signIns?.onSignedIn((unit) => queryUnit(unit, gateway)),
  ]
  return {
    gateway,
    deps,
    listModes,
    /** Stops all servers and closes the stores. */
    async close(): Promise<void> {
      for (const unsubscribe of unsubscribes) unsubscribe?.()
      signIns?.close()
      await gateway.fleet.close()
      await lists.flush()
      await journal.close()
      sharedLimits?.close()
      await results.close()
    },
  }
}

const lineOfQuestion = (
  { server, session: { id, access }, method, text, isRefused }: Asked,
  redact: (text: string) => string,
): JournalLine => ({
  time: new Date().toISOString(),
  kind: 'ask',
  session: id.slice(0, 12),
  caller: access?.caller,
  profile: access?.profile,
  module: server.name,
  account: server.account,
  tool: method,
  outcome: isRefused ? 'cannot_ask' : 'ok',
  message: redact(text),
})

/** Held tools that a line of the log names. */
const maxNamed = 5

/** Trust that writes held tools to the log and the journal. */
function createJournaledTrust(
  options: AggregatorOptions,
  journal: Journal,
  onLog: (text: string) => void,
  gatewayNow: () => Gateway,
): Trust {
  return createTrust({
    store: options.pinStore ?? createMemoryPinStore(),
    ...options.trust,
    servers: () => gatewayNow().fleet.servers,
    listed: () => listedBy(gatewayNow()),
    reserved: metaTools.map(({ name }) => name),
    remedies: options.remedies,
    onLog,
    onHeld(server, tools, reasons) {
      if (options.trust?.reports === false) return
      const rest = tools.length - maxNamed
      const names = `${tools.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
      onLog(
        tools.length === 1
          ? `${server}.${names} is held: ${reasons}.`
          : `${tools.length} tools of ${server} are held: ${reasons}: ${names}.`,
      )
      const time = new Date().toISOString()
      for (const tool of tools)
        void journal.write({
          time,
          kind: 'event',
          module: server,
          tool,
          outcome: 'tool_held',
          message: reasons,
        })
    },
  })
}

const listedBy = ({ fleet, catalog }: Gateway): Listed[] =>
  [...fleet.units.values()].flatMap((unit) => {
    const entry = catalog.entryOf(qualifiedName(unit))
    return entry ? [{ unit, entry }] : []
  })

function createTrustedGateway(
  options: AggregatorOptions,
  mode: Mode,
  parts: Pick<GatewayOptions, 'trust' | 'secrets' | 'onLog' | 'reportTask' | 'onAsked'>,
): Gateway {
  const { environment } = options
  const connectHere: Connect = (server) => connectBySdk({ ...server, environment })
  const connect = withOAuth(options.connect ?? connectHere, options.signIns)
  return createGateway({
    ...options,
    ...parts,
    configured: options,
    connect: withSecrets(connect, options.secretSources ?? {}, parts.secrets),
    listsTools: ({ access }) => (access?.mode ?? mode) !== 'meta',
    // Names of our own tools, where they are listed next to those of servers.
    reserved: mode === 'full' ? [] : metaTools.map(({ name }) => name),
  })
}

/** A server that needed a sign-in can be queried now; clients that may see it are notified. */
function queryUnit(unit: string, gateway: Gateway): void {
  for (const session of gateway.clients.sessions) {
    const { capabilities } = session
    const { unknown } = gateway.viewFor({ session, capabilities })
    const server = unknown.find((candidate) => qualifiedName(candidate) === unit)
    if (server)
      void gateway.discovery.readUnlessStored(server, session, capabilities).catch(() => {})
  }
}

const secretsOfSettings = ({ embeddings, limits }: AggregatorOptions): string[] => [
  ...(embeddings?.apiKey ? [embeddings.apiKey] : []),
  ...secretsIn(undefined, limits?.redis ?? ''),
]
