import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Roots } from '../access/roots.ts'
import { isTest } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import type { Scope } from '../search/candidates.ts'
import type { SearchThread } from '../search/search-thread.ts'
import type { SourceText } from './exports.ts'
import { importsIn } from './imports.ts'
import { createManifests, type Manifest } from './packages.ts'
import type { UsingFile } from './uses.ts'

/** A file that may be read. */
export interface Place {
  real: string
  path: string
}

/** Files that are read at once. */
export const readAhead = 64

/** Finds and reads files with a name. */
export interface PlaceReader {
  /** Number of files that could not be read. */
  unreadable(): number
  /** Files in the order of pages. */
  placesOf(reals: readonly string[]): Place[]
  /** Files that may have a word, and those of them that have a text. */
  mentioning(word: string, scope: Scope, text?: string): Promise<Place[]>
  /** Files that may define a name. */
  defining(name: string, scope: Scope): Promise<Place[]>
  readAll(places: readonly Place[]): Promise<UsingFile[]>
  textOf(place: Place): Promise<SourceText | undefined>
}

/** Files in the order of pages, the same however the index was filled: definers first, tests last. */
function placesOf(files: readonly string[], isDefiner: ReadonlySet<string>, roots: Roots): Place[] {
  const ranked = files.map((real) => {
    const path = roots.nameOf(real)
    return { real, path, rank: isTest(path) ? 2 : isDefiner.has(real) ? 0 : 1 }
  })
  return ranked.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
}

/** Reads files, some at once, and counts those that cannot be read. */
export function createReader(
  { roots, files, thread }: { roots: Roots; files: SourceFiles; thread: SearchThread },
  definers: readonly string[],
  signal: AbortSignal | undefined,
): PlaceReader {
  const isDefiner = new Set(definers)
  const unreadable = new Set<string>()
  const manifestOf = createManifests(roots.folders)
  return {
    unreadable: () => unreadable.size,
    placesOf: (reals) => placesOf(reals, isDefiner, roots),
    async mentioning(word, scope, text) {
      const { files: reals } = await thread.mentions(word, scope, signal)
      const having = text === undefined ? reals : await thread.containing(text, reals)
      return placesOf(having, isDefiner, roots)
    },
    defining: async (name, scope) =>
      placesOf((await thread.mentions(name, scope, signal)).definers, isDefiner, roots),
    readAll: (places) =>
      eachOf(places, async ({ real }) => files.outlined(real, await thread.symbolsOf(real))),
    async textOf(place) {
      const [file] = await eachOf([place], ({ real }) => files.text(real))
      return file && { ...file, imports: file.language ? importsIn(file.text, file.language) : [] }
    },
  }

  async function eachOf<File>(
    places: readonly Place[],
    read: (place: Place) => Promise<File>,
  ): Promise<(File & { manifest: Manifest })[]> {
    const sources: (File & { manifest: Manifest })[] = []
    for (let at = 0; at < places.length; at += readAhead) {
      const some = places.slice(at, at + readAhead).map(async (place) => {
        const manifest = manifestOf(place.real)
        try {
          return { ...(await read(place)), manifest: await manifest }
        } catch (error) {
          if (error instanceof CodeError === false) throw error
          unreadable.add(place.real)
          return undefined
        }
      })
      for (const file of await Promise.all(some)) if (file) sources.push(file)
    }
    return sources
  }
}

/** The folders around the packages of some files: those without an `__init__.py`, with `/`. */
export async function packageRoots(files: readonly Place[]): Promise<string[]> {
  const folders = new Set([''])
  for (const { real, path } of files) {
    let [folder, place] = [dirname(path), dirname(real)]
    while (folder !== '.' && (await isFile(join(place, '__init__.py'))))
      [folder, place] = [dirname(folder), dirname(place)]
    for (; folder !== '.'; folder = dirname(folder)) folders.add(`${folder}/`)
  }
  return [...folders]
}

const isFile = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
