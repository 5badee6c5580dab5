import { editJsonc } from './edit-jsonc.ts'
import { objectAt, readJsonc } from './read-jsonc.ts'
import type { Change } from './splice.ts'
import { type Table, valueAt } from './table.ts'

/**
 * Like `editJsonc`, but adds the objects of `path` that are missing.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editJsoncPath(text: string, path: readonly string[], change: Change): string {
  const { root, data } = readJsonc(text)
  const missing = path.findIndex(
    (_, index) => valueAt(data, path.slice(0, index + 1)) === undefined,
  )
  if (missing < 0) return editJsonc(text, path, change)
  const there = path.slice(0, missing)
  objectAt(root, there)
  const [first = '', ...rest] = path.slice(missing)
  const value = rest.reduceRight<Table>((inner, key) => ({ [key]: inner }), { ...change.add })
  return editJsonc(text, there, { drop: new Set(), add: { [first]: value } })
}
