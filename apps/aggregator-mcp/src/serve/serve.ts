import { type Aggregator, type AggregatorConfig, serveStdio } from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log, Logger } from '../log/logger.ts'
import { checkProfile, limitsOf, openAggregator } from '../open/open-aggregator.ts'
import { noteProcess } from '../open/running.ts'
import { tokensOf } from '../open/tokens-of.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { releaseMemoryWhenIdle } from '../release-memory.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { snapshotOf } from '../telemetry/snapshot-of.ts'
import { followConfig } from './follow-config.ts'
import type { HttpServing } from './serve-http.ts'

/** Serve until the client goes or someone stops it. */
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
  logger.hideBy(aggregator.serving.recording.hide)
  journal.listen(logger.note)
  if (telemetry) journal.listen(telemetry.note)
  telemetry?.observe(() => snapshotOf(aggregator))
  const onError = (error: unknown): void => {
    if (options.stderr) log(firstLine(error), 'warn')
  }
  const unfollow = followConfig(
    options.config,
    (next) => {
      const before = config
      config = next
      if (!replace(aggregator, before, next, options, log)) config = before
    },
    (error) => log(`${firstLine(error)} The configuration stays as it was.`, 'error'),
  )
  const note = noteProcess(opened, options)
  const endReleasing = releaseMemoryWhenIdle()
  let close = async (): Promise<void> => {}
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    unfollow()
    endReleasing()
    await close()
    await aggregator.close()
    await telemetry?.close()
    note.remove()
    process.exit(0)
  }
  // A second ctrl-C does not wait.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isStopping ? process.exit(1) : void stop()))
  if (options.http === undefined) {
    const handle = serveStdio(aggregator, {
      input: process.stdin,
      output: process.stdout,
      // Asked at each request: the configuration may change.
      access: {
        get profile() {
          return options.profile ?? config.settings.profile
        },
      },
      onError,
      onClose: () => void stop(),
    })
    close = () => handle.close()
    if (process.stdin.isTTY)
      log(
        'serving MCP over stdio, for a client to start it; ctrl-C ends it, --help has the commands',
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
  note.addConsole(serving.origin, serving.console.key)
  log(`serving ${serving.url}`)
  if (serving.isOpenToAll)
    log('anyone on this machine may call it; aggregator-mcp token create NAME locks it')
  if (serving.hasPages) log(`console at ${waysIn(serving)}`)
}

/** A link that opens it is for whoever sits there, not for where logs are kept. */
const waysIn = ({ console, origin }: HttpServing): string =>
  process.stderr.isTTY ? console.link() : `${origin}/; aggregator-mcp console opens it`

/** Whole, or not at all. */
function replace(
  aggregator: Aggregator,
  before: AggregatorConfig,
  next: AggregatorConfig,
  options: Settings,
  log: Log,
): boolean {
  try {
    checkProfile(options.profile, next.settings)
    const { servers, disabled, settings } = next
    const { added, removed, changed } = aggregator.replace({
      servers,
      disabled,
      profiles: settings.profiles,
      callers: settings.callers,
      limits: limitsOf(next),
    })
    const parts = [
      ['new', added],
      ['gone', removed],
      ['started anew', changed],
    ] as const
    const said = parts.flatMap(([what, names]) =>
      names.length > 0 ? [`${what}: ${names.join(', ')}`] : [],
    )
    log(`the configuration was read again${said.length > 0 ? `; ${said.join('; ')}` : ''}.`)
    for (const what of waitingFor(before.settings, settings))
      log(`aggregator.${what} of the configuration is heeded after a new start.`)
    return true
  } catch (error) {
    log(`${firstLine(error)} The configuration stays as it was.`, 'error')
    return false
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? ''

type ReadSettings = AggregatorConfig['settings']

/** What is not heeded while it runs. */
function waitingFor(before: ReadSettings, after: ReadSettings): string[] {
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
