import { lstatSync, type Stats, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { plainStamp, readBytes } from '../access/read-bytes.ts'
import { decodeText } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { languageOfName } from '../languages/all-languages.ts'
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
  /** Up to this reading, files were searched. */
  reading: number
  stamps: Map<string, string>
  verdicts: Map<string, Verdict>
}

/** Queries whose searched files are remembered. */
const maxQueries = 6
/** In bytes and files; other searches of the thread get a turn after each batch. */
const batchBytes = 4_000_000
const batchFiles = 200
/** Of files that have only parts of a name, at most this many are read line by line in one call. */
const maxPartial = 500
/** In a tree of more files, no similar names are looked for. */
const maxSimilar = 2_000

export interface ByteSearch {
  candidates(
    readings: readonly Words[],
    scope: Scope,
    isStopped: () => boolean,
  ): Promise<Candidates>
}

/**
 * Searches files as bytes for words, in batches. A search that is repeated reads only files that it
 * did not read, or that have changed.
 */
export function createByteSearch(roots: Roots, maxFileBytes: number): ByteSearch {
  const remembered = new LRUCache<string, Searched>({ max: maxQueries })
  let buffer: Buffer | undefined

  return { candidates }

  async function candidates(
    readings: readonly Words[],
    scope: Scope,
    isStopped: () => boolean,
  ): Promise<Candidates> {
    const until = performance.now() + scope.waitMs
    const isOver = (): boolean => isStopped() || performance.now() > until
    const { files, account } = listSources(roots, scope, isStopped)
    const key = JSON.stringify(readings.map(({ words, around }) => [words, around]))
    for (;;) {
      const searched = remembered.get(key) ?? newSearch(readings)
      remembered.set(key, searched)
      const pass = await searchFiles(files, readings, searched, isOver)
      const { reading } = pass
      // The file that had words of a better reading has changed: all are searched again.
      if (reading > searched.reading) {
        remembered.delete(key)
        continue
      }
      searched.reading = reading
      const words = readings[reading]
      const isNone = words === undefined && pass.unread === 0 && files.length <= maxSimilar
      const sifted = words
        ? await siftLines(pass.files, words, reading, searched, isOver)
        : { files: isNone ? files.map((real) => ({ real, most: 0 })) : [], unread: 0, failed: 0 }
      return {
        reading: words ? reading : -1,
        files: sifted.files,
        account: {
          ...account,
          searched: files.length - pass.unread - pass.failed,
          unread: pass.unread + sifted.unread,
          unreadable: account.unreadable + pass.failed + sifted.failed,
        },
      }
    }
  }

  /** The files with words of the first reading that any file has. */
  async function searchFiles(
    files: readonly string[],
    readings: readonly Words[],
    searched: Searched,
    isOver: () => boolean,
  ) {
    const finders = readings.map(wordFinder)
    let reading = readings.length
    let best: string[] = []
    let [unread, failed, bytes] = [0, 0, 0]
    for (const [index, real] of files.entries()) {
      if (isOver()) {
        unread = files.length - index
        break
      }
      try {
        bytes += look(real)
        const verdict = searched.verdicts.get(real)
        if (verdict !== undefined && verdict.reading < reading) {
          reading = verdict.reading
          best = []
        }
        if (verdict?.reading === reading) best.push(real)
      } catch {
        failed++
      }
      if (index % batchFiles === batchFiles - 1 || bytes > batchBytes) {
        bytes = 0
        await nextTurn()
      }
    }
    return { reading, files: best, unread, failed }

    /** Search a file, unless it was. Returns the bytes that were read. */
    function look(real: string): number {
      const stamp = searched.stamps.get(real)
      if (stamp !== undefined && stamp === plainStamp(lstatSync(real))) return 0
      const { bytes: content, stats } = read(real)
      remember(searched, real, stats)
      for (let at = 0; at <= Math.min(reading, finders.length - 1); at++) {
        const words = finders[at]?.(content) ?? 0
        if (words === 0) continue
        searched.verdicts.set(real, { reading: at, words })
        break
      }
      return content.length
    }
  }

  /** Files by the highest score of a line; of those with parts of a name, not all at once. */
  async function siftLines(
    files: readonly string[],
    words: Words,
    reading: number,
    { verdicts, stamps }: Searched,
    isOver: () => boolean,
  ) {
    const wordsOf = (real: string): number => verdicts.get(real)?.words ?? 0
    const ordered = files.toSorted((one, other) => wordsOf(other) - wordsOf(one))
    const sifted: { real: string; most: number }[] = []
    let room = reading === 0 ? Number.POSITIVE_INFINITY : maxPartial
    let [unread, failed, bytes] = [0, 0, 0]
    for (const real of ordered) {
      const verdict = verdicts.get(real) as Verdict
      if (verdict.most === undefined && (room <= 0 || isOver())) {
        unread++
        continue
      }
      try {
        if (verdict.most === undefined) {
          room--
          const { bytes: content } = read(real)
          bytes += content.length
          verdict.most = maxInLine(decodeText(content), words)
        }
        if (verdict.most > 0) sifted.push({ real, most: verdict.most })
      } catch {
        failed++
        stamps.delete(real)
      }
      if (bytes > batchBytes) {
        bytes = 0
        await nextTurn()
      }
    }
    sifted.sort((one, other) => other.most - one.most)
    return { files: sifted, unread, failed }
  }

  function read(real: string) {
    buffer ??= Buffer.allocUnsafeSlow(maxFileBytes)
    return readBytes(real, buffer)
  }
}

const newSearch = ({ length }: readonly Words[]): Searched => ({
  reading: length,
  stamps: new Map(),
  verdicts: new Map(),
})

function remember({ stamps, verdicts }: Searched, real: string, stats: Stats): void {
  const stamp = plainStamp(stats)
  verdicts.delete(real)
  if (stamp === undefined) stamps.delete(real)
  else stamps.set(real, stamp)
}

/** Source files of all folders, of a file or folder, or those that match a glob. */
function listSources(roots: Roots, scope: Scope, isOver: () => boolean): Listing {
  const { within, glob, maxFiles } = scope
  const isSource = (file: string): boolean => languageOfName(file) !== undefined
  const matches = glob === undefined ? () => true : globMatcher(glob)
  const accept = (file: string): boolean => isSource(file) && matches(roots.nameOf(file))
  // An explicitly named file is read whatever its extension.
  if (within !== undefined && statSync(within).isFile())
    return { ...listFiles({ ...roots, folders: [] }), files: [within] }
  return listFiles(roots, { within, maxFiles, accept, isOver })
}
