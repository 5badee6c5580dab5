import type { Table } from '#base/table'
import { editJsoncPath } from './edit-jsonc.ts'
import { objectAt, readJsonc } from './read-jsonc.ts'
import type { Change } from './splice.ts'

/**
 * JSON with comments, or TOML. The parser of TOML is loaded for its files only: most are JSON, and it
 * takes longer than everything else here.
 */
export type ConfigFormat = 'jsonc' | 'toml'

/**
 * Parses the text of a configuration file. The object at `path`, if given, must have no name twice,
 * which TOML forbids everywhere.
 *
 * @throws {FileRefused}
 */
export async function readConfigText(
  format: ConfigFormat,
  text: string,
  path?: readonly string[],
): Promise<Table> {
  if (format === 'toml') return (await import('./read-toml.ts')).readToml(text).data
  const { root, data } = readJsonc(text)
  if (path !== undefined) objectAt(root, path)
  return data
}

/**
 * Removes members of the object at `path` and adds others. All other bytes are preserved. Missing
 * objects of the path are added. A path of TOML has one key.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export async function editConfigText(
  format: ConfigFormat,
  text: string,
  path: readonly string[],
  change: Change,
): Promise<string> {
  return format === 'toml'
    ? (await import('./edit-toml.ts')).editToml(text, path[0] ?? '', change)
    : editJsoncPath(text, path, change)
}
