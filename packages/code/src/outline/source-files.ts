import { LRUCache } from 'lru-cache'
import { type FileStamp, readText, stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { languageOf } from '../languages/all-languages.ts'
import type { Parser } from '../parse/parse-apart.ts'
import { createSourceFile, type SourceFile } from './source-file.ts'

export interface SourceFiles {
  /**
   * A file as it is now: read and parsed again only if it has changed.
   *
   * @throws {CodeError} `not_found`, `not_allowed`, `not_text`, `too_large`.
   */
  get(path: string): Promise<SourceFile>
  /** Whether there is such a file. @throws {CodeError} `not_found`, `not_allowed`. */
  has(path: string): Promise<boolean>
}

interface Kept extends FileStamp {
  file: SourceFile
}

export interface FileLimits {
  /** Larger files are not read at all. */
  maxFileBytes: number
  /** Larger files are read, but not parsed. */
  maxParseBytes: number
  /** Of texts and their syntax that are kept. */
  maxKeptBytes: number
}

export function createSourceFiles(roots: Roots, parser: Parser, limits: FileLimits): SourceFiles {
  const kept = new LRUCache<string, Kept>({
    maxSize: limits.maxKeptBytes,
    sizeCalculation: ({ file: { text, parsed, symbols } }) =>
      text.length + parsed.units.byteLength + symbols.length * 200 + 1,
  })
  const reading = new Map<string, Promise<SourceFile>>()

  return {
    has: async (path) => (await roots.resolve(path)) !== '',
    async get(path) {
      const real = await roots.resolve(path)
      const pending = reading.get(real)
      if (pending) return pending
      const promise = current(real)
      reading.set(real, promise)
      return promise.finally(() => reading.delete(real))
    },
  }

  async function current(real: string): Promise<SourceFile> {
    const known = kept.get(real)
    if (
      known &&
      !known.isFresh &&
      known.stamp === (await stampOf(real).catch(() => undefined))?.stamp
    )
      return known.file
    const name = roots.nameOf(real)
    const { text, bytes, stamp, isFresh } = await readText(real, name, limits.maxFileBytes)
    const file = known?.file.text === text ? known.file : await parsed(name, text, bytes)
    kept.set(real, { stamp, isFresh, file })
    return file
  }

  async function parsed(
    name: string,
    text: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<SourceFile> {
    const language = languageOf(name, text)
    if (!language) return createSourceFile(name, text, { unparsed: 'its language is not known' })
    if (text.length > limits.maxParseBytes)
      return createSourceFile(name, text, {
        language,
        unparsed: `it is larger than the ${Math.round(limits.maxParseBytes / 1e6)} MB that are parsed`,
      })
    const outcome = await parser
      .parse(bytes, language.name)
      .catch(({ message }: Error) => ({ unparsed: `the parser failed at it (${message})` }))
    return createSourceFile(name, text, { language, ...outcome })
  }
}
