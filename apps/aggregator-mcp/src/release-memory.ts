import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often is looked, in milliseconds. */
const lookEveryMs = 10_000
/** The share of that time in which something was done, below which nobody waits. */
const maxBusy = 0.02
/** Of memory, above what it was after the last time, in bytes. */
const minGrowth = 8 * 2 ** 20

type Collect = (options: { type: string; execution: string; flavor: string }) => void

interface ReleaseOptions {
  everyMs?: number
  /** Bytes that the process takes. */
  rss?: () => number
  collector?: () => Collect
}

/**
 * Give memory back once it is quiet: collect what is not used any more, and let go of what the heap
 * holds in reserve. It takes some 20 ms, at a time when nothing is done, and only after there was
 * something to do.
 */
export function releaseMemoryWhenIdle({
  everyMs = lookEveryMs,
  rss = process.memoryUsage.rss,
  collector = v8Collector,
}: ReleaseOptions = {}): () => void {
  let collect: Collect | undefined
  let before = performance.eventLoopUtilization()
  let kept = 0
  let isOver = false
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (isOver || utilization > maxBusy || rss() - kept < minGrowth) return
    collect ??= collector()
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    kept = rss()
  }, everyMs)
  timer.unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** Contexts that are made from now on have it. */
function v8Collector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
