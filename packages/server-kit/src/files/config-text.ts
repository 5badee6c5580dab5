import type { Table } from '#base/table'
import { editJsoncPath } from './edit-jsonc.ts'
import { objectAt, readJsonc } from './read-jsonc.ts'
import type { Change } from './splice.ts'

/**
 * JSON with comments, TOML or YAML. The parsers of the last two are loaded for their files only: most
 * are JSON, and they take longer than everything else here.
 */
export type ConfigFormat = 'jsonc' | 'toml' | 'yaml'

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
  if (format === 'yaml') return (await import('./read-yaml.ts')).readYaml(text).data
  const { root, data } = readJsonc(text)
  if (path !== undefined) objectAt(root, path)
  return data
}

/**
 * Removes members of the object at `path` and adds others. All other bytes are preserved. Missing
 * objects of the path are added. A path of TOML or YAML has one
 * key.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export async function editConfigText(
  format: ConfigFormat,
  text: string,
  path: readonly string[],
  change: Change,
): Promise<string> {
  if (format === 'jsonc') return editJsoncPath(text, path, change)
  const [room = ''] = path
  return format === 'toml'
    ? (await import('./edit-toml.ts')).editToml(text, room, change)
    : (await import('./edit-yaml.ts')).editYaml(text, room, change)
}
