import type { Aggregator, AggregatorConfig } from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { checkProfile, limitsOf } from '../open/open-aggregator.ts'
import { firstLine } from '../text-of.ts'
import { followConfig } from './follow-config.ts'

const unchanged = 'The configuration is unchanged.'

/** The configuration that is served. A change of its files is applied whole, or not at all. */
export class ServedConfig {
  readonly #aggregator: Aggregator
  readonly #options: Settings
  readonly #log: Log
  #current: AggregatorConfig

  constructor(config: AggregatorConfig, aggregator: Aggregator, options: Settings, log: Log) {
    this.#current = config
    this.#aggregator = aggregator
    this.#options = options
    this.#log = log
  }

  get current(): AggregatorConfig {
    return this.#current
  }

  /** Applies changes until the returned function is called. */
  follow(): () => void {
    return followConfig(
      this.#options.config,
      (next) => this.#replaceWith(next),
      (error) => this.#refuse(error),
    )
  }

  #replaceWith(next: AggregatorConfig): void {
    const before = this.#current
    this.#current = next
    try {
      const changes = this.#apply(next)
      this.#log(`Configuration reloaded${changes.length > 0 ? `: ${changes.join('; ')}` : ''}.`)
      for (const setting of deferredSettings(before.settings, next.settings))
        this.#log(`The change of aggregator.${setting} takes effect after a restart.`)
    } catch (error) {
      this.#current = before
      this.#refuse(error)
    }
  }

  /** What changed: `added a, b`. */
  #apply(config: AggregatorConfig): string[] {
    const { servers, disabled, settings } = config
    checkProfile(this.#options, settings)
    const { added, removed, changed } = this.#aggregator.replace({
      servers,
      disabled,
      profiles: settings.profiles,
      callers: settings.callers,
      limits: limitsOf(config),
    })
    const parts = [
      ['added', added],
      ['removed', removed],
      ['restarted', changed],
    ] as const
    return parts.flatMap(([what, names]) =>
      names.length > 0 ? [`${what} ${names.join(', ')}`] : [],
    )
  }

  #refuse(error: unknown): void {
    this.#log(`${firstLine(error)} ${unchanged}`, 'error')
  }
}

type ReadSettings = AggregatorConfig['settings']

/** Changed settings that take effect after a restart only. */
function deferredSettings(before: ReadSettings, after: ReadSettings): string[] {
  const parts: [string, (settings: ReadSettings) => unknown][] = [
    ['journal', ({ journal }) => journal],
    ['trust', ({ trust }) => trust],
    ['firstListSeconds', ({ firstListSeconds }) => firstListSeconds],
    ['search', ({ search }) => search],
    ['oauth', ({ oauth }) => oauth],
    ['telemetry', ({ telemetry }) => telemetry],
    ['limits.redis', ({ limits }) => limits?.redis],
  ]
  return parts.flatMap(([name, of]) =>
    JSON.stringify(of(before)) === JSON.stringify(of(after)) ? [] : [name],
  )
}
