import type { Undone } from '../apply/undo-import.ts'
import type { HostEnvironment } from '../entry/host-environment.ts'
import { shortPath } from './short-path.ts'

/** Describes what happened to each file. */
export function renderUndone({ at, files }: Undone, { home }: HostEnvironment): string {
  const lines = files.map(({ path, reason, copy, isRemoved }) => {
    const name = shortPath(path, home)
    if (reason !== undefined) return `  left      ${name}: ${reason}`
    const saved =
      copy === undefined ? '' : `; the overwritten version is in ${shortPath(copy, home)}`
    return `  ${isRemoved ? 'removed ' : 'restored'}  ${name}${saved}`
  })
  return `Import of ${at}:\n${lines.join('\n')}\n`
}
