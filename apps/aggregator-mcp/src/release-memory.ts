import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between checks. */
const checkEveryMs = 10_000
/** Event loop utilization (0 to 1) up to which the process counts as idle. */
const maxUtilization = 0.02
/** Bytes that memory must have grown since the last collection. */
const minGrowth = 8 * 2 ** 20

type Collect = (options: { type: string; execution: string; flavor: string }) => void

interface ReleaseOptions {
  everyMs?: number
  /** Resident set size of the process, in bytes. */
  rss?: () => number
  collector?: () => Collect
}

/**
 * Return memory to the system when the process is idle: run a full garbage collection that also
 * releases the heap's reserve. A collection takes about 20 ms and runs only after memory has grown.
 */
export function releaseMemoryWhenIdle({
  everyMs = checkEveryMs,
  rss = process.memoryUsage.rss,
  collector = v8Collector,
}: ReleaseOptions = {}): () => void {
  let collect: Collect | undefined
  let before = performance.eventLoopUtilization()
  let rssAfter = 0
  let isStopped = false
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (isStopped || utilization > maxUtilization || rss() - rssAfter < minGrowth) return
    collect ??= collector()
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    rssAfter = rss()
  }, everyMs)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** The flag applies to contexts that are created after it is set. */
function v8Collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
