import { lstat, readlink } from 'node:fs/promises'
import { dirname, join, parse, sep } from 'node:path'

/** More links count as a loop. */
const maxLinks = 40

/** A path without links, and the links that were followed. */
export interface Subscription {
  real: string
  /** Real paths of the links, in order. */
  links: readonly string[]
}

/** Follows links as the operating system does. @throws {Error} with a code, such as ENOENT */
export async function linksOn(path: string): Promise<Subscription> {
  const links: string[] = []
  const { root } = parse(path)
  let real = root
  let rest = path.slice(root.length).split(sep)
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      real = dirname(real)
      continue
    }
    const at = join(real, part)
    if (!(await lstat(at)).isSymbolicLink()) {
      real = at
      continue
    }
    if (links.push(at) > maxLinks)
      throw Object.assign(new Error(`${path} is a loop of links`), { code: 'ELOOP' })
    const target = await readlink(at)
    const { root: base } = parse(target)
    if (base !== '') real = base
    // The target of a link may contain links before the remaining parts.
    rest = [...target.slice(base.length).split(sep), ...rest]
  }
  return { real, links }
}
