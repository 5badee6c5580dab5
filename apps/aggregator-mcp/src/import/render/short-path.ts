import { join, relative } from 'node:path'

/** As the user would write it. */
export function shortPath(path: string, home: string): string {
  const way = relative(home, path)
  return way === '' || way.startsWith('..') ? path : join('~', way)
}
