import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AggregatorError, readConfig } from '@pith-mcp/aggregator'
import {
  editJsoncPath,
  FileChanged,
  FileRefused,
  readJsonc,
  replaceUnchanged,
  type Table,
} from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import createLimit, { type LimitFunction } from 'p-limit'
import { asSentence } from '../text-of.ts'

/** Mode of new files: they may hold credentials. */
const newFileMode = 0o600

/**
 * Add servers to a configuration file, or remove them. The rest of the file stays byte for byte. A
 * result that is not a valid configuration is not written.
 * @returns the path of the file, with links resolved
 * @throws {UsageError}
 */
export async function editServers(file: string, edit: Edit): Promise<string> {
  const absolutePath = resolve(file)
  const path = await realpath(absolutePath).catch(() => absolutePath)
  const queue = queues.get(path) ?? createLimit(1)
  queues.set(path, queue)
  return queue(() => editWithRetries(path, edit))
}

type Edit = (servers: Readonly<Table>) => { add?: Table; drop?: readonly string[] }

/** Edits of one file run one after the other. */
const queues = new Map<string, LimitFunction>()
const maxTries = 5

/** Other processes may write the file at the same time. */
async function editWithRetries(path: string, edit: Edit): Promise<string> {
  for (let tries = 1; ; tries++)
    try {
      return await editOnce(path, edit)
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
      if (tries === maxTries)
        throw new UsageError(
          `${path} keeps changing while it is edited. Nothing was written. Try again.`,
        )
    }
}

async function editOnce(path: string, edit: Edit): Promise<string> {
  const before = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read (${error.code}).`)
  })
  const mode = before === undefined ? newFileMode : (await stat(path)).mode & 0o777
  try {
    const after = edited(before?.toString('utf8'), edit)
    if (after === undefined) return path
    await readConfig(after, process.env)
    await mkdir(dirname(path), { recursive: true })
    await replaceUnchanged(path, Buffer.from(after), { before, mode })
  } catch (error) {
    if (error instanceof FileRefused || error instanceof AggregatorError)
      throw new UsageError(`${path}: ${asSentence(error.message)} Nothing was written.`)
    throw error
  }
  return path
}

/** The key of the servers in a configuration file. */
export const serversKeyOf = (data: Table): string =>
  Object.hasOwn(data, 'servers') ? 'servers' : 'mcpServers'

function edited(before: string | undefined, edit: Edit): string | undefined {
  const text = before?.trim() ? before : '{\n}\n'
  const { data } = readJsonc(text)
  const key = serversKeyOf(data)
  const servers = (data[key] ?? {}) as Table
  const { add = {}, drop = [] } = edit(servers)
  if (drop.length === 0 && Object.keys(add).length === 0) return undefined
  return editJsoncPath(text, [key], { drop: new Set(drop), add })
}
