import {
  type Aggregator,
  type AggregatorConfig,
  type StdioEndpoint,
  serveStdio,
} from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log, Logger } from '../log/logger.ts'
import { checkProfile, limitsOf, openAggregator } from '../open/open-aggregator.ts'
import { publishProcess } from '../open/running.ts'
import { tokensOf } from '../open/tokens-of.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { releaseMemoryWhenIdle } from '../release-memory.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { snapshotOf } from '../telemetry/snapshot-of.ts'
import { followConfig } from './follow-config.ts'
import type { HttpServing } from './serve-http.ts'

/** Serve until the client disconnects or a signal stops the process. */
export async function serve(options: Settings, logger: Logger): Promise<void> {
  const { log } = logger
  let config = await readConfigFiles(options.config)
  const isAttended = options.http === undefined && !process.env['CI']
  const telemetry = await openTelemetry({
    settings: config.settings.telemetry,
    environment: process.env,
    isHttp: options.http !== undefined,
    onLog: (text) => log(text, 'warn'),
  })
  const tracing = telemetry?.tracing
  const opened = await openAggregator(config, { ...options, isAttended, tracing }, log)
  const { aggregator, journal } = opened
  logger.redactWith(aggregator.deps.recording.redact)
  journal.subscribe(logger.record)
  if (telemetry) journal.subscribe(telemetry.record)
  telemetry?.observe(() => snapshotOf(aggregator))
  const onError = (error: unknown): void => {
    if (options.stderr) log(firstLine(error), 'warn')
  }
  const unfollow = followConfig(
    options.config,
    (next) => {
      const before = config
      config = next
      if (!applyConfig(aggregator, before, next, options, log)) config = before
    },
    (error) => log(`${firstLine(error)} ${unchanged}`, 'error'),
  )
  const published = publishProcess(opened, options)
  const stopReleasing = releaseMemoryWhenIdle()
  let close = async (): Promise<void> => {}
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    unfollow()
    stopReleasing()
    await close()
    await aggregator.close()
    await telemetry?.close()
    published.remove()
    process.exit(0)
  }
  // A second signal exits without waiting for calls in progress.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isStopping ? process.exit(1) : void stop()))
  if (options.http === undefined) {
    const handle = serveOverStdio(aggregator, {
      profile: () => options.profile ?? config.settings.profile,
      onError,
      onClose: () => void stop(),
    })
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
    config: () => config,
    tokens: tokensOf(options.state, log),
    onLog: log,
    onError,
  })
  close = serving.close
  published.addConsole(serving.origin, serving.console.key)
  logAddresses(serving, log)
}

interface StdioOptions {
  profile: () => string | undefined
  onError: (error: unknown) => void
  onClose: () => void
}

function serveOverStdio(
  aggregator: Aggregator,
  { profile, onError, onClose }: StdioOptions,
): StdioEndpoint {
  return serveStdio(aggregator, {
    input: process.stdin,
    output: process.stdout,
    // Read for each request: the configuration may change.
    access: {
      get profile() {
        return profile()
      },
    },
    onError,
    onClose,
  })
}

function logAddresses(serving: HttpServing, log: Log): void {
  log(`serving ${serving.url}`)
  if (serving.acceptsAnyone)
    log('Any local process can call it. Require a token with: aggregator-mcp token create NAME')
  if (serving.hasPages) log(`console at ${consoleLink(serving)}`)
}

/** A link that signs in is printed to a terminal only, not to stored logs. */
const consoleLink = ({ console, origin }: HttpServing): string =>
  process.stderr.isTTY ? console.link() : `${origin}/ (open it with: aggregator-mcp console)`

const unchanged = 'The configuration is unchanged.'

/** Applies a configuration completely, or not at all if it is invalid. */
function applyConfig(
  aggregator: Aggregator,
  before: AggregatorConfig,
  next: AggregatorConfig,
  options: Settings,
  log: Log,
): boolean {
  try {
    checkProfile(options, next.settings)
    const { servers, disabled, settings } = next
    const { added, removed, changed } = aggregator.replace({
      servers,
      disabled,
      profiles: settings.profiles,
      callers: settings.callers,
      limits: limitsOf(next),
    })
    const parts = [
      ['added', added],
      ['removed', removed],
      ['restarted', changed],
    ] as const
    const changes = parts.flatMap(([what, names]) =>
      names.length > 0 ? [`${what} ${names.join(', ')}`] : [],
    )
    log(`Configuration reloaded${changes.length > 0 ? `: ${changes.join('; ')}` : ''}.`)
    for (const setting of deferredSettings(before.settings, settings))
      log(`The change of aggregator.${setting} takes effect after a restart.`)
    return true
  } catch (error) {
    log(`${firstLine(error)} ${unchanged}`, 'error')
    return false
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? ''

type ReadSettings = AggregatorConfig['settings']

/** Changed settings that take effect after a restart only. */
function deferredSettings(before: ReadSettings, after: ReadSettings): string[] {
  const parts: [string, (settings: ReadSettings) => unknown][] = [
    ['journal', ({ journal }) => journal],
    ['trust', ({ trust }) => trust],
    ['search', ({ search }) => search],
    ['oauth', ({ oauth }) => oauth],
    ['telemetry', ({ telemetry }) => telemetry],
    ['limits.redis', ({ limits }) => limits?.redis],
  ]
  return parts.flatMap(([name, of]) =>
    JSON.stringify(of(before)) === JSON.stringify(of(after)) ? [] : [name],
  )
}
