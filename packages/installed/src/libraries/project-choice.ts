import { basename, join } from 'node:path'
import { DocsError, quoteValue } from '#formats/docs-error'
import { parseAddress } from './library.ts'
import { maxManifestBytes, tableIn, textAt } from './package-files.ts'

export const choiceFile = 'docs-mcp.json'

/** Libraries that the file of a project adds to its direct ones, or leaves out. */
export interface ProjectChoice {
  add: { name: string; version?: string }[]
  leaveOut: ReadonlySet<string>
}

const keys = ['add', 'leaveOut']
const remedy = `It may have “add” and “leaveOut”, lists of names such as "zod" or "zod@4.1.0".`

/**
 * Names and versions only: the author of a project must not decide which hosts, folders or commands
 * the server of its readers opens.
 *
 * @throws {DocsError} `bad_argument`, which names the key.
 */
export async function readChoice(folder: string): Promise<ProjectChoice> {
  const text = await textAt(join(folder, choiceFile), maxManifestBytes)
  if (text === undefined) return { add: [], leaveOut: new Set() }
  const place = `${choiceFile} of ${basename(folder)}`
  const table = tableIn(text)
  if (!table) throw new DocsError('bad_argument', `${place} is not a JSON object.`, remedy)
  const unknown = Object.keys(table).find((key) => !keys.includes(key))
  if (unknown !== undefined)
    throw new DocsError(
      'bad_argument',
      `${place} has the unknown key ${quoteValue(unknown)}.`,
      remedy,
    )
  const [add = [], leaveOut = []] = keys.map((key) => {
    const list = table[key] ?? []
    const names = Array.isArray(list) ? list.map(nameIn) : [undefined]
    if (names.includes(undefined))
      throw new DocsError('bad_argument', `“${key}” in ${place} is not a list of names.`, remedy)
    return names.flatMap((name) => name ?? [])
  })
  return { add, leaveOut: new Set(leaveOut.map(({ name }) => name)) }
}

function nameIn(value: unknown): ProjectChoice['add'][number] | undefined {
  const parsed = typeof value === 'string' ? parseAddress(value) : undefined
  return parsed && parsed.page === undefined ? parsed : undefined
}
