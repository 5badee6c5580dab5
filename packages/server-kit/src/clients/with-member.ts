import { editConfigText, readConfigText } from '../files/config-text.ts'
import { FileRefused } from '../files/file-refused.ts'
import { isTable, type Table, valueAt } from '../files/table.ts'
import type { Target } from './find-target.ts'

const empty = { jsonc: '{}\n', toml: '' } as const

const textOf = ({ format, before }: Target): string => (before?.trim() ? before : empty[format])

/** The existing entry of a name. @throws {FileRefused} */
export async function memberOf(target: Target, name: string): Promise<unknown> {
  const data = await readConfigText(target.format, textOf(target))
  return valueAt(data, [...pathIn(data, target), name])
}

/** The text of a file with an entry added or replaced. @throws {FileRefused} */
export async function withMember(target: Target, name: string, entry: Table): Promise<string> {
  const text = textOf(target)
  const path = pathIn(await readConfigText(target.format, text), target)
  return editConfigText(target.format, text, path, {
    drop: new Set([name]),
    add: { [name]: entry },
  })
}

function pathIn(data: Table, { paths }: Target): readonly string[] {
  const path = paths.find((one) => valueAt(data, one) !== undefined) ?? paths.at(-1) ?? []
  const room = valueAt(data, path)
  if (room !== undefined && !isTable(room))
    throw new FileRefused(`${path.join('.')} is not an object`)
  return path
}
