import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

const kinds = ['cpu', 'io', 'memory']
const hasPressure = existsSync('/proc/pressure/cpu')

/**
 * Milliseconds in which processes of this machine waited for a core, the disk or memory, since it was
 * started: the `total` of `some` of each, and `steal`.
 *
 * @see https://docs.kernel.org/accounting/psi.html and `proc_stat(5)`
 */
function stalledMs(): number {
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

/**
 * Measures a span from now on; `ms` is about what it takes on an idle machine: its length without what
 * the machine was stalled, or where that is not known, by how many processes want a core.
 */
export function startSpan(): { ms: () => number } {
  const begun = performance.now()
  const stalled = hasPressure ? stalledMs() : 0
  return {
    ms() {
      const length = performance.now() - begun
      if (!hasPressure) return length / Math.max(1, loadOfACore())
      return Math.max(0, length - (stalledMs() - stalled))
    },
  }
}
