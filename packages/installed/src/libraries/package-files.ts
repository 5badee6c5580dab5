import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '#base/inside-folder'
import { isTable, type Table } from '#base/table'

/** In bytes: lockfiles of large repositories have some 20 MB. */
const maxBytes = 64 * 2 ** 20
export const maxManifestBytes: number = 2 ** 20

/** The text of a file; undefined if it does not exist or is too long. */
export async function textAt(path: string, most: number = maxBytes): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > most) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}

/** The JSON object in a file; undefined for anything else. */
export async function tableAt(path: string, most?: number): Promise<Table | undefined> {
  const text = await textAt(path, most)
  return text === undefined ? undefined : tableIn(text)
}

export function tableIn(text: string): Table | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isTable(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The pairs of an object whose values are strings. */
export const stringsIn = (value: unknown): [name: string, value: string][] =>
  isTable(value)
    ? Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    : []

export const textIn = (table: Table | undefined, key: string): string | undefined => {
  const value = table && Object.hasOwn(table, key) ? table[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The real path of a file of a package; undefined if it leads outside, also through links. */
export async function fileIn(folder: string, path: string): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  const real = await realpath(join(folder, path)).catch(() => undefined)
  if (real === undefined || !isInside(real, folder)) return undefined
  return (await lstat(real)).isFile() ? real : undefined
}

/** The metadata of a Python distribution: a file in its folder, or that file alone. */
export async function metadataOf(folder: string, metadata: string): Promise<string | undefined> {
  for (const name of ['/METADATA', '/PKG-INFO', '']) {
    const file = await fileIn(folder, metadata + name)
    if (file !== undefined) return file
  }
  return undefined
}
