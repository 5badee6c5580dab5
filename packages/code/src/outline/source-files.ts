import { LRUCache } from 'lru-cache'
import { type FileStamp, readText, stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import { languageOf } from '../languages/all-languages.ts'
import type { Language } from '../languages/language.ts'
import type { DeclaredModule } from '../parse/declarations.ts'
import type { Parser } from '../parse/parse-pool.ts'
import { type IndexedSymbols, timedOut } from '../parse/symbol-table.ts'
import { createSourceFile, type SourceFile } from './source-file.ts'

export type SourceFiles = ReturnType<typeof createSourceFiles>

interface CachedFile extends FileStamp {
  file: SourceFile
}

/** The text of a file without its symbols. */
export type PlainFile = Pick<SourceFile, 'path' | 'text'> & { language: Language | undefined }

export interface FileLimits {
  /** Larger files are not read. */
  maxFileBytes: number
  /** Larger files are read, but not parsed. */
  maxParseBytes: number
  /** Size of cached texts and their syntax. */
  maxCacheBytes: number
}

export function createSourceFiles(roots: Roots, parser: Parser, limits: FileLimits) {
  const cache = new LRUCache<string, CachedFile>({
    maxSize: limits.maxCacheBytes,
    sizeCalculation: ({ file: { text, parsed, symbols } }) =>
      text.length + parsed.units.byteLength + symbols.length * 200 + 1,
  })
  const reading = new Map<string, Promise<SourceFile>>()

  return {
    /** True if the file exists. @throws {CodeError} `not_found`, `not_allowed`. */
    has: async (path: string): Promise<boolean> => (await roots.resolve(path)) !== '',
    get: (path: string): Promise<SourceFile> => get(path),
    /** The current text of a file, without its symbols. */
    text: (real: string): Promise<PlainFile> =>
      textOf(real, roots.nameOf(real), limits.maxFileBytes),
    outlined: (real: string, indexed: IndexedSymbols | undefined): Promise<SourceFile> =>
      outlined(real, indexed),
  }

  /**
   * The current content of a file, read and parsed again only if it has changed.
   *
   * @throws {CodeError} `not_found`, `not_allowed`, `not_text`, `too_large`.
   */
  async function get(path: string): Promise<SourceFile> {
    const real = await roots.resolve(path)
    const pending = reading.get(real)
    if (pending) return pending
    const promise = current(real)
    reading.set(real, promise)
    return promise.finally(() => reading.delete(real))
  }

  /** The current content of a file: with these symbols unless it has changed since, else parsed. */
  async function outlined(real: string, indexed: IndexedSymbols | undefined): Promise<SourceFile> {
    if (!indexed) return get(real)
    const name = roots.nameOf(real)
    const { text, stamp } = await readText(real, name, limits.maxFileBytes)
    if (stamp !== indexed.stamp) return get(real)
    const language = languageOf(name, text)
    return createSourceFile(name, text, { ...(language && { language }), ...indexed.outlines })
  }

  async function current(real: string): Promise<SourceFile> {
    const entry = cache.get(real)
    if (
      entry &&
      !entry.isFresh &&
      entry.stamp === (await stampOf(real).catch(() => undefined))?.stamp
    )
      return entry.file
    const name = roots.nameOf(real)
    const { text, bytes, stamp, isFresh } = await readText(real, name, limits.maxFileBytes)
    const file = entry?.file.text === text ? entry.file : await parsed(name, text, bytes)
    // Another try may have the processor for itself.
    if (file.unparsed !== timedOut) cache.set(real, { stamp, isFresh, file })
    return file
  }

  async function parsed(
    name: string,
    text: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<SourceFile> {
    const language = languageOf(name, text)
    if (!language)
      return createSourceFile(name, text, { unparsed: 'its language is not supported' })
    if (text.length > limits.maxParseBytes)
      return createSourceFile(name, text, {
        language,
        unparsed: `it is larger than ${Number((limits.maxParseBytes / 1e6).toPrecision(3))} MB, the limit for parsing`,
      })
    const outcome = await parser
      .parse(bytes, language.name)
      .catch(({ message }: Error) => ({ unparsed: `parsing failed (${message})` }))
    return createSourceFile(name, text, { language, ...outcome })
  }
}

async function textOf(real: string, path: string, maxBytes: number): Promise<PlainFile> {
  const { text } = await readText(real, path, maxBytes)
  return { path, text, language: languageOf(path, text) }
}

/** What a file declares, read each time. @throws {CodeError} also `no_symbols` if it is not parsed. */
export async function declarationsOf(
  roots: Roots,
  parser: Parser,
  maxBytes: number,
  path: string,
): Promise<DeclaredModule> {
  const real = await roots.resolve(path)
  const name = roots.nameOf(real)
  const { text, bytes } = await readText(real, name, maxBytes)
  const language = languageOf(name, text)
  const kind = /\.d\.[cm]?ts$/.test(name) ? 'ambient' : 'own'
  const outcome =
    language && /^(?:typescript|tsx|python)$/.test(language.name)
      ? await parser.declarations(bytes, language.name, kind)
      : { unparsed: 'its language is not supported' }
  if (!('unparsed' in outcome)) return outcome
  throw new CodeError(
    'no_symbols',
    `${name} was not parsed: ${outcome.unparsed}.`,
    'Read its text.',
  )
}
