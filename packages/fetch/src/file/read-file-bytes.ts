import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, constants as zlib } from 'node:zlib'
import { DocsError, quoteValue } from '#formats/docs-error'
import { formatNames } from '#formats/page-format'
import { tooLarge } from '../http-errors.ts'

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

/** The bytes of a file, uncompressed if it is gzipped. @throws {DocsError} `too_large` past `maxBytes`. */
export async function readFileBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw tooLarge(path, maxBytes)
    return unzipped(await handle.readFile(), path, maxBytes)
  } finally {
    await handle.close()
  }
}

/** Of a file, to recognise its format. */
const headBytes = 64 * 2 ** 10

/** The first 64 KiB of a file, uncompressed if it is gzipped. */
export async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(headBytes), 0, headBytes)
    return unzipped(buffer.subarray(0, bytesRead), path, maxHeadBytes)
  } finally {
    await handle.close()
  }
}

/** Of an uncompressed head. */
const maxHeadBytes = 16 * 2 ** 20

/** Bytes that are gzipped, uncompressed, also those of the start of a file. */
function unzipped(bytes: Uint8Array, path: string, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(path, maxBytes)
    throw error
  }
}
