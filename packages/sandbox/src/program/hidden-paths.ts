import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isWithin } from './is-within.ts'

/** bubblewrap takes 9,000 arguments, of which an entry needs three. */
const maxEntries = 1_000

/** What must not be shown in a folder. */
export interface HiddenPath {
  /** Without links. */
  path: string
  /** The path, if it is a folder; else the folder that contains it, of which the rest is shown. */
  folder: string
}

/** Finds configured paths; one that does not exist yet is hidden in the nearest folder. */
export async function findHidden(paths: readonly string[]): Promise<HiddenPath[]> {
  const candidates = await Promise.all(paths.map(locate))
  return candidates.filter(
    ({ path }, at) =>
      !candidates.some(
        (parent, index) =>
          index !== at && isWithin(path, parent.path) && (path !== parent.path || index < at),
      ),
  )
}

async function locate(path: string): Promise<HiddenPath> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) {
    const isFolder = (await lstat(real)).isDirectory()
    return { path: real, folder: isFolder ? real : dirname(real) }
  }
  const above = await locate(dirname(path))
  return { path: join(above.path, basename(path)), folder: above.folder }
}

/**
 * What may be shown of a folder, with the targets of links. Copies that editors make of a hidden file
 * are left out, too. @throws {Error} for more than 1,000 entries
 */
export async function entriesWithout(
  folder: string,
  hidden: readonly HiddenPath[],
): Promise<{ path: string; target?: string }[]> {
  const covers = hidden.filter((entry) => entry.folder === folder && entry.path !== folder)
  const isHidden = (name: string): boolean =>
    covers.some(({ path }) =>
      bareName(name).startsWith(bareName(relative(folder, path).split(sep)[0] ?? '')),
    )
  const entries = hidden.some(({ path }) => path === folder)
    ? []
    : (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isHidden(name))
  if (entries.length > maxEntries)
    throw new Error(
      `${covers[0]?.path} cannot be hidden in a folder with more than ${maxEntries} entries: move it to a folder of its own`,
    )
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      return entry.isSymbolicLink() ? { path, target: await readlink(path) } : { path }
    }),
  )
}

const bareName = (name: string): string => name.replace(/^[.#~]+/, '')
