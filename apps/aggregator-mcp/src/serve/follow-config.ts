import { type FSWatcher, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import { dirname } from 'node:path'
import type { AggregatorConfig } from '@pith-mcp/aggregator'
import { readConfigFiles } from '../read-config-files.ts'

/** Milliseconds to wait after a change: editors write in several steps. */
const settleMs = 80
/** Milliseconds between polls of a file. */
const pollMs = 1_000

/**
 * Read the configuration again whenever one of its files changes. An invalid one is passed to
 * `onError`. The folders are watched; the files are polled too, since they may be symbolic links, or
 * on a file system without change events.
 */
export function followConfig(
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
