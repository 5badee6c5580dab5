import type { Undone } from '../apply/undo-import.ts'
import type { Surroundings } from '../entry/entry-context.ts'
import { shortPath } from './short-path.ts'

/** What became of each file. */
export function renderUndone({ at, files }: Undone, { home }: Surroundings): string {
  const lines = files.map(({ path, why, copy, isRemoved }) => {
    const name = shortPath(path, home)
    if (why !== undefined) return `  left   ${name}: ${why}`
    const kept = copy === undefined ? '' : `; what was there last is in ${shortPath(copy, home)}`
    return `  ${isRemoved ? 'gone ' : 'back '}  ${name}${kept}`
  })
  return `The import of ${at}:\n${lines.join('\n')}\n`
}
