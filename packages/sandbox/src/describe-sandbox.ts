import { homedir } from 'node:os'
import type { SandboxReport } from './port/sandbox.ts'
import { isWithin } from './program/is-within.ts'

/**
 * One line such as `bubblewrap; no network; reads /usr, ~/docs; writes nothing; variables PATH`.
 */
export function describeSandbox(report: SandboxReport): string {
  if (report.by === 'none') return `none; ${report.reason}`
  const { variables } = report
  const variablesText = `variables ${list(variables)}`
  if (report.by === 'command')
    return `${report.program}, a command of your own, so that its restrictions are unknown; ${variablesText}`
  const { by, network, readsAll, reads, writes, hides, lacks } = report
  return [
    by,
    network ? 'network' : 'no network',
    `reads ${readsAll ? 'all files' : list(reads.map(shortened))}`,
    ...(hides.length > 0 ? [`hides ${list(hides.map(shortened))}`] : []),
    `writes ${list(writes.map(shortened))}`,
    variablesText,
    ...(lacks === undefined ? [] : [lacks]),
  ].join('; ')
}

const list = (names: readonly string[]): string => names.join(', ') || 'nothing'

function shortened(path: string): string {
  const home = homedir()
  return home !== '/' && isWithin(path, home) ? `~${path.slice(home.length)}` : path
}
