import { join, relative } from 'node:path'

/** The path with `~` for the home folder. */
export function shortPath(path: string, home: string): string {
  const below = relative(home, path)
  return below === '' || below.startsWith('..') ? path : join('~', below)
}
