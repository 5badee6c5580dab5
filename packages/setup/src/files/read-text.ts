import { readFile, realpath } from 'node:fs/promises'
import { FileRefused } from './file-refused.ts'

/** A file and where it really is; undefined when there is none. @throws {FileRefused} */
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
    throw new FileRefused('it is no UTF-8 text')
  }
}
