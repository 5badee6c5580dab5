import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tooLarge } from '../fetch/http-errors.ts'
import { formatNames } from '../formats/page-format.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'

/** A file and a stamp that changes when the file does. */
export interface FileStamp {
  path: string
  stamp: string
}

/** The file at a path, or the `index.html` of a folder. */
export async function stampFile(path: string): Promise<FileStamp> {
  // stat comes before open, because opening a named pipe blocks until a writer connects.
  const stats = await stat(path)
  if (stats.isDirectory())
    return await stampFile(join(path, 'index.html')).catch((cause) => {
      throw new DocsError(
        'not_found',
        `${quoteValue(path)} is a folder without an index.html.`,
        'Pass the path of a page in the folder, or search the folder.',
        { cause },
      )
    })
  if (!stats.isFile())
    throw new DocsError(
      'unsupported_type',
      `${quoteValue(path)} is not a file.`,
      `Pass an ${formatNames} page.`,
    )
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
