import { type FSWatcher, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type Aggregator,
  type AggregatorConfig,
  type JournalLine,
  outcomeOf,
} from '@pith-mcp/aggregator'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { checkProfile } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { shortMessage } from '../text-of.ts'

/**
 * The configuration that is served, and what ends following its files. A change of them is applied
 * whole, or not at all.
 */
export function serveConfig(
  config: AggregatorConfig,
  aggregator: Aggregator,
  options: Settings,
  log: Log,
  environment: Environment,
) {
  const { journal, redact } = aggregator.deps.recording
  let current = config

  function replaceWith(next: AggregatorConfig): void {
    const before = current
    current = next
    try {
      const changes = apply(next)
      log(`Configuration reloaded${changes.length > 0 ? `: ${changes.join('; ')}` : ''}.`)
      const settings = changedSettings(before.settings, next.settings)
      const all = [...changes, ...settings.map((name) => `aggregator.${name}`)]
      record({ outcome: 'ok', message: all.join('; ').slice(0, 300) })
      for (const setting of settings.filter((name) => !immediate.has(name)))
        log(`The change of aggregator.${setting} takes effect after a restart.`)
    } catch (error) {
      current = before
      refuse(error)
    }
  }

  /** What changed: `added a, b`. */
  function apply(next: AggregatorConfig): string[] {
    const { servers, disabled, settings } = next
    checkProfile(options, settings)
    const changes = aggregator.replace({ ...settings, servers, disabled })
    const parts = [
      ['added', changes.added],
      ['removed', changes.removed],
      ['restarted', changes.changed],
    ] as const
    return parts.flatMap(([what, names]) =>
      names.length > 0 ? [`${what} ${names.join(', ')}`] : [],
    )
  }

  function refuse(error: unknown): void {
    log(`${shortMessage(error)} The configuration is unchanged.`, 'error')
    record(outcomeOf(error, undefined, redact))
  }

  function record(outcome: Pick<JournalLine, 'outcome' | 'message'>): void {
    const about = { kind: 'admin', via: 'config', tool: 'reload' } as const
    void journal.write({ time: new Date().toISOString(), ...about, ...outcome })
  }

  const read = (): Promise<AggregatorConfig> => readConfigFiles(options, environment)
  return {
    current: () => current,
    /** Applies what was read before its change was noticed. */
    update(next: AggregatorConfig): void {
      if (!isDeepStrictEqual(next, current)) replaceWith(next)
    },
    unfollow: followConfig(options.config, read, replaceWith, refuse),
  }
}

type ReadSettings = AggregatorConfig['settings']

/** Changes of all others take effect after a restart only. */
const immediate = new Set(['profile', 'profiles', 'callers', 'limits', 'permissions'])

/** What an aggregator is opened with, and does not change. */
export const fixedSettings = (settings: ReadSettings): string =>
  JSON.stringify(Object.entries(settings).filter(([name]) => !immediate.has(name)))

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
  readAll: () => Promise<AggregatorConfig>,
  onChange: (config: AggregatorConfig) => void,
  onError: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const read = async (): Promise<void> => {
    const before = stampsOf(paths)
    try {
      const config = await readAll()
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
  let lastStamps = stampsOf(paths)
  const check = (): void => {
    const stamps = stampsOf(paths)
    if (stamps === lastStamps) return
    lastStamps = stamps
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
