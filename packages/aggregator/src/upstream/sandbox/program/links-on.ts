import { lstat, readlink } from 'node:fs/promises'
import { dirname, join, parse, sep } from 'node:path'

/** More of them are a ring. */
const mostLinks = 40

/** A path without links, and where the links stood that led to it. */
export interface Followed {
  real: string
  /** Each where it really stands, in order. */
  links: readonly string[]
}

/** Follow a path as the system does. @throws {Error} with a code, such as ENOENT */
export async function linksOn(path: string): Promise<Followed> {
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
    if (links.push(at) > mostLinks)
      throw Object.assign(new Error(`${path} leads in a ring`), { code: 'ELOOP' })
    const target = await readlink(at)
    const { root: base } = parse(target)
    if (base !== '') real = base
    // Each part of where it leads may be a link again, before the parts that are left.
    rest = [...target.slice(base.length).split(sep), ...rest]
  }
  return { real, links }
}
