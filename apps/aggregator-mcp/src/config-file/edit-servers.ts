import { editJsoncPath, readJsonc, serversKeyOf, type Table } from '@pith-mcp/server-kit/files'
import { editFile } from './edit-file.ts'

export type ServersEdit = (servers: Readonly<Table>) => { add?: Table; drop?: readonly string[] }

/**
 * Add servers to a configuration file, or remove them. The rest of the file stays byte for byte.
 * @returns the path of the file, with links resolved
 * @throws {UsageError}
 */
export async function editServers(file: string, edit: ServersEdit): Promise<string> {
  return (await editFile(file, (text) => edited(text, edit))).path
}

/** The text of a file with servers added or removed. @throws {FileRefused} */
export function edited(before: string | undefined, edit: ServersEdit): string | undefined {
  const text = before?.trim() ? before : '{\n}\n'
  const { data } = readJsonc(text)
  const key = serversKeyOf(data)
  const servers = (data[key] ?? {}) as Table
  const { add = {}, drop = [] } = edit(servers)
  if (drop.length === 0 && Object.keys(add).length === 0) return undefined
  return editJsoncPath(text, [key], { drop: new Set(drop), add })
}
