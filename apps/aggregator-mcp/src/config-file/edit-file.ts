import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { AggregatorError, readConfig } from '@pith-mcp/aggregator'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { FileChanged, FileRefused, replaceUnchanged } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import createLimit, { type LimitFunction } from 'p-limit'

/** Mode of new files: they may hold credentials. */
const newFileMode = 0o600

/** What a configuration file was, and what it is now. */
export interface EditedFile {
  /** With links resolved. */
  path: string
  /** Undefined if there was no file. */
  before: string | undefined
  /** The same as `before` if nothing was written. */
  after: string | undefined
}

/** The files that an act writes. */
export const written = new AsyncLocalStorage<EditedFile[]>()

/** The new text of a file; undefined changes nothing. May run again, on a newer text. */
export type TextEdit = (
  text: string | undefined,
) => Promise<string | undefined> | string | undefined

/**
 * Edits a configuration file. A result that is not a valid configuration is not written; with
 * `isDry` nothing is.
 * @throws {UsageError}
 */
export async function editFile(file: string, edit: TextEdit, isDry = false): Promise<EditedFile> {
  const absolutePath = resolve(file)
  const path = await realpath(absolutePath).catch(() => absolutePath)
  const queue = queues.get(path) ?? createLimit(1)
  queues.set(path, queue)
  return queue(() => editWithRetries(path, edit, isDry))
}

/** Edits of one file run one after the other. */
const queues = new Map<string, LimitFunction>()
const maxTries = 5

/** Other processes may write the file at the same time. */
async function editWithRetries(path: string, edit: TextEdit, isDry: boolean): Promise<EditedFile> {
  for (let tries = 1; ; tries++)
    try {
      return await editOnce(path, edit, isDry)
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error
      if (tries === maxTries)
        throw new UsageError(
          `${path} keeps changing while it is edited. Nothing was written. Try again.`,
        )
    }
}

async function editOnce(path: string, edit: TextEdit, isDry: boolean): Promise<EditedFile> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read (${error.code}).`)
  })
  const before = bytes?.toString('utf8')
  const mode = bytes === undefined ? newFileMode : (await stat(path)).mode & 0o777
  try {
    const after = await edit(before)
    if (after === undefined || after === before) return { path, before, after: before }
    await readConfig(after, process.env)
    if (isDry) return { path, before, after }
    await mkdir(dirname(path), { recursive: true })
    await replaceUnchanged(path, Buffer.from(after), { before: bytes, mode })
    const done = { path, before, after }
    written.getStore()?.push(done)
    return done
  } catch (error) {
    if (error instanceof FileRefused || error instanceof AggregatorError)
      throw new UsageError(`${path}: ${asSentence(error.message)} Nothing was written.`)
    throw error
  }
}
