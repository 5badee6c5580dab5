import { editJsonc } from './files/edit-jsonc.ts'
import { FileRefused } from './files/file-refused.ts'
import { objectAt, readJsonc } from './files/read-jsonc.ts'
import { isTable, type Table, valueAt } from './files/table.ts'
import type { Target } from './find-target.ts'

/** Loaded where a file is TOML: most are not, and it takes longer than all else here. */
const loadToml = () => import('./toml.ts')

const empty = { jsonc: '{}\n', toml: '' } as const

const textOf = ({ format, before }: Target): string => (before?.trim() ? before : empty[format])

/** What is there under a name. @throws {FileRefused} */
export async function memberOf(target: Target, name: string): Promise<unknown> {
  const text = textOf(target)
  const { data } = target.format === 'toml' ? (await loadToml()).readToml(text) : readJsonc(text)
  return valueAt(data, [...wayIn(data, target), name])
}

/** The text of a file with an entry under a name, in place of what was there. @throws {FileRefused} */
export async function withMember(target: Target, name: string, entry: Table): Promise<string> {
  const text = textOf(target)
  const change = { drop: new Set([name]), add: { [name]: entry } }
  if (target.format === 'toml')
    return (await loadToml()).editToml(text, target.ways[0]?.[0] ?? '', change)
  const { root, data } = readJsonc(text)
  const way = wayIn(data, target)
  // What is missing of the way comes with the entry.
  const there = way.findIndex((_, index) => valueAt(data, way.slice(0, index + 1)) === undefined)
  const depth = there < 0 ? way.length : there
  objectAt(root, way.slice(0, depth))
  if (depth === way.length) return editJsonc(text, way, change)
  const [first = '', ...rest] = way.slice(depth)
  const value = [...rest].reverse().reduce<Table>((inner, key) => ({ [key]: inner }), {
    [name]: entry,
  })
  return editJsonc(text, way.slice(0, depth), { drop: new Set(), add: { [first]: value } })
}

function wayIn(data: Table, { ways }: Target): readonly string[] {
  const way = ways.find((one) => valueAt(data, one) !== undefined) ?? ways.at(-1) ?? []
  const room = valueAt(data, way)
  if (room !== undefined && !isTable(room)) throw new FileRefused(`${way.join('.')} is no object`)
  return way
}
