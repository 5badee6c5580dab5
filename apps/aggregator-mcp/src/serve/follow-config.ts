import { type FSWatcher, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import { dirname } from 'node:path'
import type { AggregatorConfig } from '@pith-mcp/aggregator'
import { readConfigFiles } from '../read-config-files.ts'

/** Editors write in several steps. */
const settleMs = 80
const everyMs = 1_000

/**
 * Tell of a configuration whenever one of its files is another. A configuration that is wrong is
 * told as an error, and nothing else happens. The folders tell of changes at once; the files are
 * polled too, since they may be links, or lie on a disk that tells nobody.
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
      // It was written again while it was read.
      if (stampsOf(paths) !== before) return later()
      onChange(config)
    } catch (error) {
      if (!isStopped) onError(error)
    }
  }
  function later(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void read(), settleMs)
    timer.unref()
  }
  let seen = stampsOf(paths)
  const look = (): void => {
    const stamps = stampsOf(paths)
    if (stamps === seen) return
    seen = stamps
    later()
  }
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, look)
  const watchers = [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) =>
    watchFolder(folder, look),
  )
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    for (const path of paths) unwatchFile(path, look)
  }
}

function watchFolder(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange)
    // The files are polled anyway.
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
