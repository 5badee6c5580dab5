import { statSync, unwatchFile, watchFile } from 'node:fs'
import type { AggregatorConfig } from '@pith-mcp/aggregator'
import { readConfigFiles } from '../read-config-files.ts'

/** Editors write in several steps. */
const settleMs = 150
const everyMs = 400

/**
 * Tell of a configuration whenever one of its files is another. A configuration that is wrong is
 * told as an error, and nothing else happens. Polled: a file may be replaced, be a link, or lie on
 * a disk that tells nobody.
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
  for (const path of paths) watchFile(path, { interval: everyMs, persistent: false }, later)
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const path of paths) unwatchFile(path, later)
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
