import {
  type Aggregator,
  type AggregatorConfig,
  qualifiedName,
  serveStdio,
} from '@pith-mcp/aggregator'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Snapshot } from '@pith-mcp/telemetry'
import type { Settings } from '../config.ts'
import type { Log, Logger } from '../log/logger.ts'
import { warnOfIdleSettings, withoutEffect } from '../open/idle-settings.ts'
import { openAggregator } from '../open/open-aggregator.ts'
import { publishProcess } from '../open/running.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { releaseMemoryWhenIdle } from '../release-memory.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { newToolsText, shortMessage } from '../text-of.ts'
import type { HttpServing } from './serve-http.ts'
import { serveConfig } from './served-config.ts'

/** An aggregator that serves, with what follows it. */
export type ServedAggregator = Awaited<ReturnType<typeof openServing>>

/** Opens what is served, and follows its configuration. */
export async function openServing(
  options: Settings,
  logger: Logger,
  environment: Environment = process.env,
  config?: AggregatorConfig,
) {
  const { log } = logger
  config ??= await readConfigFiles(options, environment)
  const isHttp = options.http !== undefined
  const warn = (text: string): void => log(text, 'warn')
  const telemetry = await openTelemetry(config.settings.telemetry, environment, isHttp, warn)
  const isAttended = !isHttp && !environment['CI']
  const tracing = telemetry?.tracing
  const opened = await openAggregator(config, { ...options, isAttended, tracing, environment }, log)
  const { aggregator, journal } = opened
  logger.redactWith(aggregator.deps.recording.redact)
  journal.subscribe(logger.record)
  if (telemetry) journal.subscribe(telemetry.record)
  telemetry?.observe(() => snapshotOf(aggregator))
  for (const text of withoutEffect(options, config.settings)) log(text, 'warn')
  const served = serveConfig(config, aggregator, options, log, environment)
  const idle = warnOfIdleSettings(served.current, aggregator, log)
  const published = publishProcess(opened, options, idle.texts)
  const stopReleasing = releaseMemoryWhenIdle()
  return {
    opened,
    telemetry,
    published,
    /** The current configuration. */
    config: served.current,
    update: served.update,
    async close(endClients = async (): Promise<void> => {}): Promise<void> {
      served.unfollow()
      stopReleasing()
      idle.stop()
      await endClients()
      await aggregator.close()
      await telemetry?.close()
      published.remove()
    },
  }
}

/** Serves the console of an aggregator that serves clients of this user only. */
export async function serveConsoleOnly(
  serving: ServedAggregator,
  options: Settings,
  onLog: Log,
): Promise<void> {
  if (serving.published.hasConsole()) return
  const { serveHttp } = await import('./serve-http.ts')
  const { origin, console } = await serveHttp({
    ...serving,
    settings: { ...options, http: '127.0.0.1:0' },
    isConsoleOnly: true,
    onLog,
    onError: () => {},
  })
  serving.published.addConsole(origin, console.key)
}

/** Serve until the client disconnects or a signal stops the process. */
export async function serve(options: Settings, logger: Logger): Promise<void> {
  const { log } = logger
  const opening = await openServing(options, logger)
  const { opened, published, telemetry, config } = opening
  const { aggregator } = opened
  let close = async (): Promise<void> => {}
  const stop = exitAfter(() => opening.close(() => close()))
  const onError = (error: unknown): void => {
    if (options.stderr) log(shortMessage(error), 'warn')
  }
  if (options.http === undefined) {
    const access = {
      // Read for each request: the configuration may change.
      get profile() {
        return options.profile ?? config().settings.profile
      },
    }
    const { stdin: input, stdout: output } = process
    const handle = serveStdio(aggregator, { input, output, access, onError, onClose: stop })
    close = () => handle.close()
    if (process.stdin.isTTY)
      log(
        'serving MCP over stdio, for a client that starts it. Ctrl-C stops it, --help shows usage.',
      )
    return
  }
  const { serveHttp } = await import('./serve-http.ts')
  const serving = await serveHttp({
    settings: { ...options, http: options.http },
    opened,
    telemetry,
    config,
    onLog: log,
    onError,
  })
  close = serving.close
  published.addConsole(serving.origin, serving.console.key)
  announce(serving, log)
  if (opened.newTools !== 'hold') return
  log(newToolsText.hold)
  void listAll(aggregator)
}

/** Servers that are started at the same time. */
const maxStarting = 4

/** Lists of all servers with all their accounts, so that tools can be approved before a client connects. */
async function listAll({ gateway }: Aggregator): Promise<void> {
  const session = { id: 'start', era: 'modern', capabilities: {}, notify() {} } as const
  const { default: createLimit } = await import('p-limit')
  const limit = createLimit(maxStarting)
  await Promise.allSettled(
    [...gateway.fleet.units.values()].map((unit) =>
      limit(() => gateway.discovery.readUnlessCurrent(unit, session, {})),
    ),
  )
}

/** Runs `end` once, at a signal or when the returned function is called; then the process exits. */
function exitAfter(end: () => Promise<void>): () => void {
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    await end()
    process.exit(0)
  }
  // A second signal exits without waiting for calls in progress.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isStopping ? process.exit(1) : void stop()))
  return () => void stop()
}

function announce(serving: HttpServing, log: Log): void {
  log(`serving ${serving.url}`)
  if (serving.acceptsAnyone)
    log('Any local process can call it. Require a token with: aggregator-mcp token create NAME')
  if (serving.console.hasPages) log(`console at ${consoleLink(serving)}`)
}

/** A link that signs in is printed to a terminal only, not to stored logs. */
const consoleLink = ({ console, origin }: HttpServing): string =>
  process.stderr.isTTY ? console.link() : `${origin}/ (open it with: aggregator-mcp console)`

/** The current state, for metrics. */
const snapshotOf = ({ gateway, deps }: Aggregator): Snapshot => ({
  sessions: gateway.clients.sessions.size,
  servers: gateway.fleet.status().map(({ server, instances }) => ({
    name: qualifiedName(server),
    waiting: deps.limits.waitingAt(server.name),
    instances,
  })),
})
