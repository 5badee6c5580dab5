import type { AggregatorConfig, Journal, PublicCallbacks } from '@pith-mcp/aggregator'
import type { ReplicaDirectory } from '@pith-mcp/replicas/directory/replica-directory'
import {
  createAuthenticator,
  createResourceServer,
  HttpEndpointError,
  metadataRoute,
  openHttpEndpoint,
  type Rejection,
  type Route,
} from '@pith-mcp/server-kit'
import { tlsFilesOf, UsageError } from '@pith-mcp/server-kit/settings'
import type { Telemetry } from '@pith-mcp/telemetry'
import type { Settings } from '../config.ts'
import { notFoundText, type ProfileRules, path } from '../http/authorize-profile.ts'
import { mcpRoute } from '../http/mcp-route.ts'
import type { Log } from '../log/logger.ts'
import { type OpenedAggregator, publicUrlOf } from '../open/open-aggregator.ts'
import type { OpenedTelemetry } from '../telemetry/open-telemetry.ts'
import { serveConsole } from './serve-console.ts'

export interface HttpOptions {
  settings: Settings & { http: string }
  opened: OpenedAggregator
  telemetry: OpenedTelemetry
  /** Does not serve MCP. */
  isConsoleOnly?: boolean
  /** The current configuration; called for each request. */
  config: () => AggregatorConfig
  onLog: Log
  onError: (error: unknown) => void
}

export type HttpServing = Awaited<ReturnType<typeof serveHttp>>

/** Start the HTTP endpoint. @throws {UsageError} for an invalid address, or one that needs a credential */
export async function serveHttp(options: HttpOptions) {
  const { settings, opened, telemetry, config, onLog, onError } = options
  const { aggregator, state } = opened
  const { tokens } = state
  const replicas = state.directory(settings, onLog)
  const rules = () => rulesOf(settings, config())
  const mcp = mcpRoute(aggregator, rules, { onError, replicas })
  const { oauth: oauthSettings } = config().settings
  const tls = tlsFilesOf(settings)
  const callbacks = opened.callbacks ? callbackRoutes(opened.callbacks, replicas) : []
  const onRejected = logRejections(opened.journal)
  const oauth = await withUsageErrors(
    '--http ',
    async () => oauthSettings && createResourceServer({ ...oauthSettings, onLog }),
  )
  const publicUrl = publicUrlOf(settings, config().settings)
  const console = serveConsole({ opened, settings, config, publicUrl, onLog })
  const authenticator = createAuthenticator({
    owner: settings.token,
    callers: () => config().settings.callers ?? noCallers,
    tokens,
    oauth,
    sessionOf: console.sessionOf,
    isSessionOpen: console.isSessionOpen,
  })
  const listening = { routes: [mcp.route, ...callbacks], tls, onLog, onRejected, onError }
  // Before clients can open sessions in its name.
  await withUsageErrors('PITH_REPLICA_LISTEN ', async () =>
    replicas?.enter(authenticator, listening),
  )
  const endpoint = await withUsageErrors('--http ', () =>
    openHttpEndpoint({
      address: settings.http,
      hosts: settings.httpHosts,
      publicUrl,
      trustedProxies: settings.trustedProxies,
      tls,
      onLog,
      authenticator,
      routes: [
        ...(options.isConsoleOnly ? [] : [mcp.route]),
        ...(oauth ? [metadataRoute(oauth)] : []),
        ...callbacks,
        ...(telemetry?.hasMetrics ? [metricsRoute(telemetry)] : []),
        ...console.routes(authenticator),
      ],
      notFoundText,
      problems: state.engines.problems,
      onRejected,
      onClosing: console.close,
      onError,
    }),
  ).catch(async (error) => {
    await replicas?.leave()
    throw error
  })
  console.listensAt(endpoint.url, endpoint.port)
  return {
    /** The MCP endpoint. */
    url: `${endpoint.url}${path}`,
    origin: endpoint.url,
    console,
    /** No credential is required. */
    acceptsAnyone: !authenticator.requiresAuth(),
    async close(): Promise<void> {
      await replicas?.leave()
      await endpoint.close()
      await mcp.close()
    },
  }
}

const noCallers = {}

const rulesOf = ({ profile }: Settings, { settings }: AggregatorConfig): ProfileRules => ({
  onlyProfile: profile,
  defaultProfile: settings.profile,
  profiles: Object.keys(settings.profiles ?? {}),
})

/** What the messages of errors continue. */
const places: Partial<Record<HttpEndpointError['code'], string>> = {
  bad_oauth: 'aggregator.',
  bad_tls: '',
}

async function withUsageErrors<T>(setting: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof HttpEndpointError)) throw error
    const remedies: Partial<Record<HttpEndpointError['code'], string>> = {
      too_open:
        ' Create a token with "aggregator-mcp token create", set AGGREGATOR_MCP_TOKEN, configure callers, or listen on 127.0.0.1.',
      cannot_listen: ' Choose another port.',
    }
    const where = places[error.code] ?? setting
    throw new UsageError(`${where}${error.message}${remedies[error.code] ?? ''}`)
  }
}

/** Writes rejected requests to the journal. */
const logRejections =
  (journal: Journal) =>
  ({ reason, status, method, path, address, principal, count }: Rejection): void => {
    const parts = [
      `${reason}:`,
      method,
      path,
      address && `from ${address}`,
      principal && `(${principal})`,
      status > 0 && `answered ${status}`,
      count > 1 && `and ${count - 1} more like it`,
    ]
    const message = parts.filter(Boolean).join(' ').slice(0, 300)
    const time = new Date().toISOString()
    void journal.write({ time, kind: 'event', outcome: 'rejected', message, reason, count })
  }

/** Redirects of sign-ins at servers, which belong to the replica that began them. */
function callbackRoutes(
  callbacks: PublicCallbacks,
  replicas: ReplicaDirectory | undefined,
): readonly Route[] {
  const shared = { scope: 'public', methods: ['GET'] } as const
  return [
    {
      ...shared,
      name: 'sign-in callback',
      replies: 'own',
      matches: (path) => path === callbacks.path,
      async handle(request, response) {
        if (!(await replicas?.forward(request, response))) await callbacks.answer(request, response)
      },
    },
    {
      ...shared,
      name: 'client metadata',
      replies: 'data',
      matches: (path) => path === callbacks.metadataPath,
      handle(_request, response) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(callbacks.metadata))
      },
    },
  ]
}

/** Serves `/metrics` in the Prometheus format. Requires the scope `console:read`. */
const metricsRoute = (telemetry: Pick<Telemetry, 'metrics'>): Route => ({
  name: 'metrics',
  scope: 'console:read',
  methods: ['GET', 'HEAD'],
  replies: 'data',
  matches: (path) => path === '/metrics',
  async handle(_request, response) {
    const { contentType, text } = await telemetry.metrics()
    response.setHeader('content-type', contentType)
    response.end(text)
  },
})
