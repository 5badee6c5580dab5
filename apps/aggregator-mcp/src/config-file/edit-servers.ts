import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AggregatorError, readConfig } from '@pith-mcp/aggregator'
import {
  editJsonc,
  FileChanged,
  FileRefused,
  readJsonc,
  replaceFile,
  type Table,
} from '@pith-mcp/setup/files'
import createLimit, { type LimitFunction } from 'p-limit'
import { UsageError } from '../usage-error.ts'

/** Only its owner reads a file that may come to hold credentials. */
const modeOfNew = 0o600

/**
 * Put servers into a configuration file, or take them out; all else in it stays byte for byte. What
 * our reader would not take is not written. @throws {UsageError}
 */
export async function editServers(file: string, edit: Edit): Promise<string> {
  const named = resolve(file)
  const path = await realpath(named).catch(() => named)
  const turn = turns.get(path) ?? createLimit(1)
  turns.set(path, turn)
  return turn(() => editUntilDone(path, edit))
}

type Edit = (servers: Readonly<Table>) => { add?: Table; drop?: readonly string[] }

/** One change of a file after the other. */
const turns = new Map<string, LimitFunction>()
const mostTries = 5

/** Someone else may write it at the same time. */
async function editUntilDone(path: string, edit: Edit): Promise<string> {
  for (let tries = 1; ; tries++)
    try {
      return await editOnce(path, edit)
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
      if (tries === mostTries)
        throw new UsageError(`${path} is changed over and over by others. Nothing was written.`)
    }
}

async function editOnce(path: string, edit: Edit): Promise<string> {
  const before = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read (${error.code}).`)
  })
  const mode = before === undefined ? modeOfNew : (await stat(path)).mode & 0o777
  try {
    const after = edited(before?.toString('utf8'), edit)
    if (after === undefined) return path
    await readConfig(after, process.env)
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, Buffer.from(after), { before, mode })
  } catch (error) {
    if (error instanceof FileRefused || error instanceof AggregatorError)
      throw new UsageError(`${path}: ${error.message}. Nothing was written.`)
    throw error
  }
  return path
}

function edited(before: string | undefined, edit: Edit): string | undefined {
  const text = before?.trim() ? before : '{\n}\n'
  const { data } = readJsonc(text)
  const key = Object.hasOwn(data, 'servers') ? 'servers' : 'mcpServers'
  const servers = (data[key] ?? {}) as Table
  const { add = {}, drop = [] } = edit(servers)
  if (drop.length === 0 && Object.keys(add).length === 0) return undefined
  return Object.hasOwn(data, key)
    ? editJsonc(text, [key], { drop: new Set(drop), add })
    : editJsonc(text, [], { drop: new Set(), add: { [key]: add } })
}
