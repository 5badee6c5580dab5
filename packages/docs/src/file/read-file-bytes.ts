import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { tooLarge } from '../fetch/http-errors.ts'

/** What changes when a file does. */
export interface FileStamp {
  path: string
  stamp: string
}

/** Path of the page a path stands for: the file itself, or the index of a folder. */
export async function stampFile(path: string): Promise<FileStamp> {
  // Looked at before it is opened: opening a pipe waits for somebody to write.
  const stats = await stat(path)
  if (stats.isDirectory())
    return await stampFile(join(path, 'index.html')).catch((cause) => {
      throw new DocsError(
        'not_found',
        `${quoteValue(path)} is a folder without an index.html.`,
        'Pass the path of a page in it, or search the folder.',
        cause,
      )
    })
  if (!stats.isFile()) throw unreadable(path)
  await access(path, constants.R_OK)
  return { path, stamp: `${stats.mtimeMs}:${stats.size}` }
}

/** @throws {DocsError} `too_large` past `maxBytes`. */
export async function readFileBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw tooLarge(path, maxBytes)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function unreadable(path: string): DocsError {
  return new DocsError(
    'unsupported_type',
    `${quoteValue(path)} is not a file.`,
    'Pass a page of HTML or Markdown.',
  )
}
