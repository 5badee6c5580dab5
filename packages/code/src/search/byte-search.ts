import { lstatSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { createWorkLimit } from '#base/processor-time'
import { firstLine, plainStamp, readBytes } from '../access/read-bytes.ts'
import { decodeText, isWide } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { languageOf, languageOfName } from '../languages/all-languages.ts'
import type { Candidates, Scope } from './candidates.ts'
import { globMatcher } from './glob.ts'
import { type Listing, listFiles } from './list-files.ts'
import { maxInLine, type Words, wordFinder } from './query-words.ts'

/** What a search knows of a file. */
interface Verdict {
  /** The first reading of which it has words. */
  reading: number
  /** Number of its words in the file. */
  words: number
  /** The result of `maxInLine`, once it is computed. */
  most?: number
}

/** The files that were searched for a query, and those with words of it. */
interface Searched {
  /** The first reading of which any file has words. */
  reading: number
  files: Map<string, SearchedFile>
}

interface SearchedFile {
  stamp: string
  /** The number of readings whose words were looked for. */
  readings: number
  /** Absent for a file without words of them. */
  verdict?: Verdict
}

/** Queries whose searched files are remembered. */
const maxQueries = 6
/** In bytes and files; other searches of the thread get a turn after each batch. */
const batchBytes = 4_000_000
const batchFiles = 200
/** At most this many files that have only parts of a name are found in one call. */
const maxPartial = 500
/** In a tree of more files, no similar names are looked for. */
export const maxSimilar = 2_000

/**
 * Searches files as bytes for words, in batches. A search that is repeated reads only files that it
 * did not read, or that have changed.
 */
export class ByteSearch {
  readonly #maxFileBytes: number
  readonly #remembered = new LRUCache<string, Searched>({ max: maxQueries })
  #buffer: Buffer | undefined

  constructor(maxFileBytes: number) {
    this.#maxFileBytes = maxFileBytes
  }

  /** The files of a listing for the first reading that some file has. */
  async candidates(
    readings: readonly Words[],
    { files, account }: Listing,
    waitMs: number,
    isStopped: () => boolean,
  ): Promise<Candidates> {
    const isLate = createWorkLimit(waitMs)
    const isOver = (): boolean => isStopped() || isLate()
    const key = JSON.stringify(readings.map(({ words, around }) => [words, around]))
    for (;;) {
      const searched = this.#remembered.get(key) ?? { reading: readings.length, files: new Map() }
      this.#remembered.set(key, searched)
      const { reading, candidates, unread, failed } = await this.#searchFiles(
        files,
        readings,
        searched,
        isOver,
      )
      if (reading > searched.reading) {
        // The file that had words of a better reading has changed: all are searched again.
        this.#remembered.delete(key)
        continue
      }
      searched.reading = reading
      const words = readings[reading]
      const isSmall = unread === 0 && files.length <= maxSimilar
      const sifted = words
        ? await this.#siftLines(candidates, words, isOver)
        : { files: isSmall ? files.map((real) => ({ real, most: 0 })) : [], unread: 0, failed: 0 }
      const totals = { unread: unread + sifted.unread, failed: failed + sifted.failed }
      return {
        reading: words ? reading : -1,
        files: sifted.files,
        account: {
          ...account,
          searched: files.length - totals.unread - totals.failed,
          unread: totals.unread,
          unreadable: account.unreadable + totals.failed,
        },
      }
    }
  }

  /** The files with words of the first reading that any file has. */
  async #searchFiles(
    all: readonly string[],
    readings: readonly Words[],
    searched: Searched,
    isOver: () => boolean,
  ) {
    const finders = readings.map(wordFinder)
    let reading = readings.length
    let candidates: FoundFile[] = []
    let [unread, partial, failed, bytes] = [0, 0, 0, 0]
    /** Files in which words of the first reading only were looked for. */
    let halfRead = 0
    let newlyRead = 0
    /** What is known of a file, which is read unless that many readings were looked for. */
    const look = (real: string, readingCount: number): SearchedFile => {
      const entry = searched.files.get(real)
      const isDone = entry && (entry.verdict !== undefined || entry.readings >= readingCount)
      if (isDone && entry.stamp === plainStamp(lstatSync(real))) return entry
      const { bytes: content, stats } = this.#read(real)
      bytes += content.length
      newlyRead++
      const file: SearchedFile = { stamp: plainStamp(stats) ?? '', readings: readingCount }
      const texts = { bytes: content, latin1: content.toString('latin1') }
      for (const [at, finder] of finders.slice(0, readingCount).entries()) {
        const words = finder(texts)
        if (words === 0) continue
        file.verdict = { reading: at, words }
        if (at > 0) partial++
        break
      }
      searched.files.set(real, file)
      return file
    }
    for (const [index, real] of all.entries()) {
      // Each search reads a file, so that repeating it ends.
      if (newlyRead > 0 && isOver()) {
        unread = all.length - index
        break
      }
      try {
        // Once there are many files with parts of the name, only the whole name is looked for.
        const most = partial < maxPartial ? finders.length : 1
        const file = look(real, Math.min(most, reading + 1, searched.reading + 1))
        const { verdict } = file
        if (verdict !== undefined && verdict.reading < reading) {
          reading = verdict.reading
          candidates = []
        }
        if (verdict?.reading === reading) candidates.push({ real, verdict })
        else if (verdict === undefined && file.readings < finders.length) halfRead++
      } catch {
        failed++
      }
      if (index % batchFiles === batchFiles - 1 || bytes > batchBytes) {
        bytes = 0
        await nextTurn()
      }
    }
    return { reading, candidates, unread: unread + (reading > 0 ? halfRead : 0), failed }
  }

  /** Files by the highest score of a line. */
  async #siftLines(candidates: readonly FoundFile[], words: Words, isOver: () => boolean) {
    const sifted: { real: string; most: number }[] = []
    let [unread, failed, bytes] = [0, 0, 0]
    const boundOf = (real: string): number => {
      const { bytes: content } = this.#read(real)
      bytes += content.length
      return maxInLine(decodeText(content), words)
    }
    for (const { real, verdict } of candidates.toSorted(byWords)) {
      if (verdict.most === undefined && sifted.length > 0 && isOver()) {
        unread++
        continue
      }
      try {
        verdict.most ??= boundOf(real)
        if (verdict.most > 0) sifted.push({ real, most: verdict.most })
      } catch {
        failed++
      }
      if (bytes > batchBytes) {
        bytes = 0
        await nextTurn()
      }
    }
    sifted.sort((a, b) => b.most - a.most)
    return { files: sifted, unread, failed }
  }

  /** True if a file has a text, in this case. @throws if it cannot be read. */
  has(real: string, text: string): boolean {
    const { bytes } = this.#read(real)
    return isWide(bytes) ? decodeText(bytes).includes(text) : bytes.includes(text)
  }

  #read(real: string) {
    this.#buffer ??= Buffer.allocUnsafeSlow(this.#maxFileBytes)
    return readBytes(real, this.#buffer)
  }
}

interface FoundFile {
  real: string
  verdict: Verdict
}

const byWords = (a: FoundFile, b: FoundFile): number => b.verdict.words - a.verdict.words

/**
 * Source files of all folders, of a file or folder, or those that match a glob.
 *
 * @throws {CodeError} for the glob
 */
export function listSources(
  roots: Roots,
  scope: Omit<Scope, 'waitMs'>,
  isOver: () => boolean,
  onFolder?: (path: string) => void,
): Listing {
  const { within, glob, maxFiles } = scope
  // A script may have no extension.
  const isSource = (file: string): boolean =>
    languageOfName(file) !== undefined ||
    (!basename(file).includes('.') && languageOf(file, firstLine(file)) !== undefined)
  const matches = glob === undefined ? undefined : globMatcher(glob)
  const accept = (file: string): boolean =>
    isSource(file) && (matches === undefined || matches(roots.nameOf(file)))
  // An explicitly named file is read whatever its extension.
  if (within !== undefined && statSync(within).isFile()) {
    onFolder?.(dirname(within))
    return { ...listFiles({ ...roots, folders: [] }), files: [within] }
  }
  return listFiles(roots, { within, maxFiles, accept, isOver, ...(onFolder && { onFolder }) })
}
