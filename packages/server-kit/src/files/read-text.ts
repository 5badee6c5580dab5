import { readFile, realpath } from 'node:fs/promises'

/**
 * A file cannot be edited and was not changed; `message` gives the reason as a clause, without its
 * values.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/** The text of a file and its real path; undefined if it does not exist. @throws {FileRefused} */
export async function readText(path: string): Promise<{ path: string; text: string } | undefined> {
  let real: string
  let bytes: Buffer
  try {
    real = await realpath(path)
    bytes = await readFile(real)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new FileRefused(`it cannot be read (${code})`)
  }
  try {
    return {
      path: real,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    }
  } catch {
    throw new FileRefused('it is not UTF-8 text')
  }
}
