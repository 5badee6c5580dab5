import { type FSWatcher, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  type JournalLine,
  outcomeOf,
} from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { checkProfile, limitsOf } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { firstLine } from '../text-of.ts'

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
      const settings = changedSettings(before.settings, next.settings)
      const all = [...changes, ...settings.map((name) => `aggregator.${name}`)]
      this.#record({ outcome: 'ok', message: all.join('; ').slice(0, 300) })
      for (const setting of settings.filter((name) => deferred.has(name)))
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
    this.#record(outcomeOf(error, undefined, this.#aggregator.deps.recording.redact))
  }

  #record(outcome: Pick<JournalLine, 'outcome' | 'message'>): void {
    const about = { kind: 'admin', via: 'config', tool: 'reload' } as const
    const time = new Date().toISOString()
    void this.#aggregator.deps.recording.journal.write({ time, ...about, ...outcome })
  }
}

type ReadSettings = AggregatorConfig['settings']

/** Changes of these take effect after a restart only. */
const deferred = new Set([
  'journal',
  'trust',
  'firstListSeconds',
  'alwaysLoad',
  'search',
  'oauth',
  'telemetry',
  'limits.redis',
])

function changedSettings(before: ReadSettings, after: ReadSettings): string[] {
  const textsOf = (settings: ReadSettings): Map<string, string> => {
    const all = { ...settings, 'limits.redis': settings.limits?.redis }
    return new Map(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]))
  }
  const [old, now] = [textsOf(before), textsOf(after)]
  const names = new Set([...old.keys(), ...now.keys()])
  return [...names].filter((name) => old.get(name) !== now.get(name))
}

/** Milliseconds to wait after a change: editors write in several steps. */
const settleMs = 80
/** Milliseconds between polls of a file. */
const pollMs = 1_000

/**
 * Read the configuration again whenever one of its files changes. An invalid one is passed to
 * `onError`. The folders are watched; the files are polled too, since they may be symbolic links, or
 * on a file system without change events.
 */
function followConfig(
  paths: readonly string[],
  onChange: (config: AggregatorConfig) => void,
  onError: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const read = async (): Promise<void> => {
    const before = stampsOf(paths)
    try {
      const config = await readConfigFiles(paths)
      if (isStopped) return
      // A file changed while it was read.
      if (stampsOf(paths) !== before) return schedule()
      onChange(config)
    } catch (error) {
      if (!isStopped) onError(error)
    }
  }
  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void read(), settleMs)
    timer.unref()
  }
  let seen = stampsOf(paths)
  const check = (): void => {
    const stamps = stampsOf(paths)
    if (stamps === seen) return
    seen = stamps
    schedule()
  }
  for (const path of paths) watchFile(path, { interval: pollMs, persistent: false }, check)
  const watchers = [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) =>
    watchFolder(folder, check),
  )
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    for (const path of paths) unwatchFile(path, check)
  }
}

function watchFolder(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange)
    // Polling continues.
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch {
    return []
  }
}

const stampsOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      try {
        const { mtimeMs, size, ino } = statSync(path)
        return `${mtimeMs} ${size} ${ino}`
      } catch {
        return ''
      }
    })
    .join('|')
