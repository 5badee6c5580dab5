import { editJsonc } from '../files/edit-jsonc.ts'
import { FileRefused } from '../files/file-refused.ts'
import { objectAt, readJsonc } from '../files/read-jsonc.ts'
import { isTable, type Table, valueAt } from '../files/table.ts'
import type { Target } from './find-target.ts'

/** Loaded for TOML files only: most are JSON, and it takes longer than everything else here. */
const loadToml = () => import('../files/toml.ts')

const empty = { jsonc: '{}\n', toml: '' } as const

const textOf = ({ format, before }: Target): string => (before?.trim() ? before : empty[format])

/** The existing entry of a name. @throws {FileRefused} */
export async function memberOf(target: Target, name: string): Promise<unknown> {
  const text = textOf(target)
  const { data } = target.format === 'toml' ? (await loadToml()).readToml(text) : readJsonc(text)
  return valueAt(data, [...pathIn(data, target), name])
}

/** The text of a file with an entry added or replaced. @throws {FileRefused} */
export async function withMember(target: Target, name: string, entry: Table): Promise<string> {
  const text = textOf(target)
  const change = { drop: new Set([name]), add: { [name]: entry } }
  if (target.format === 'toml')
    return (await loadToml()).editToml(text, target.paths[0]?.[0] ?? '', change)
  const { root, data } = readJsonc(text)
  const path = pathIn(data, target)
  // Missing parts of the path are added with the entry.
  const there = path.findIndex((_, index) => valueAt(data, path.slice(0, index + 1)) === undefined)
  const depth = there < 0 ? path.length : there
  objectAt(root, path.slice(0, depth))
  if (depth === path.length) return editJsonc(text, path, change)
  const [first = '', ...rest] = path.slice(depth)
  const value = [...rest].reverse().reduce<Table>((inner, key) => ({ [key]: inner }), {
    [name]: entry,
  })
  return editJsonc(text, path.slice(0, depth), { drop: new Set(), add: { [first]: value } })
}

function pathIn(data: Table, { paths }: Target): readonly string[] {
  const path = paths.find((one) => valueAt(data, one) !== undefined) ?? paths.at(-1) ?? []
  const room = valueAt(data, path)
  if (room !== undefined && !isTable(room))
    throw new FileRefused(`${path.join('.')} is not an object`)
  return path
}
