import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

const kinds = ['cpu', 'io', 'memory']
const hasPressure = existsSync('/proc/pressure/cpu')

/**
 * Milliseconds, of any begin, in which a process of this machine waited for a core, the disk or memory.
 * A span of time less what they grew by in it is about what the same takes on an idle machine.
 *
 * @see https://docs.kernel.org/accounting/psi.html, the `total` of `some`, and `steal` of `proc_stat(5)`.
 * Without them the load average stands for it.
 */
function stalledMs(): number {
  if (!hasPressure) return performance.now() * (1 - 1 / Math.max(1, loadOfACore()))
  const microseconds = kinds.map((kind) => {
    const [some = ''] = readFileSync(`/proc/pressure/${kind}`, 'utf8').split('\n')
    return Number(some.split('total=')[1])
  })
  const [all = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // Hundredths of a second, of all cores together.
  const stolen = Number(all.split(/\s+/)[8] ?? 0) * 10
  return microseconds.reduce((sum, one) => sum + one, 0) / 1_000 + stolen
}

const loadOfACore = (): number => Number(loadavg()[0]) / availableParallelism()

/** Measures a span from now on; `ms` is its length without what the machine was stalled. */
export function startSpan(): { ms: () => number } {
  const [begun, stalled] = [performance.now(), stalledMs()]
  return {
    ms() {
      const length = performance.now() - begun
      return length - Math.min(length, stalledMs() - stalled)
    },
  }
}
