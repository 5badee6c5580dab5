import { type Exports, type Project, packagePrefix, passedOn, type SourceText } from './exports.ts'
import { stemOf } from './imports.ts'
import type { Place } from './read-places.ts'

/** Where a thing is defined, and the files with its name. */
export interface Exporting {
  name: string
  project: Project
  /** Names of its definers. */
  files: ReadonlySet<string>
  places: readonly Place[]
}

export interface FileTexts {
  read(place: Place): Promise<SourceText | undefined>
  /** Files with a word; with `all`, those that pass on all of another one. */
  mentioning(word: string, all?: boolean): Promise<readonly Place[]>
}

/** The names under which a thing is exported, and the files that take it by another one. */
export interface Followed {
  exports: Exports
  own: ReadonlySet<string>
  importers: readonly Place[]
  /** Words by which the files were found. */
  words: ReadonlySet<string>
  /** More files or names were not followed. */
  isCut: boolean
}

/** Files and characters that are read, and words that are looked for. */
const maxFiles = 600
const maxLength = 40_000_000
const maxWords = 12

/** Follows a thing from file to file by the names under which each gives it on. */
export async function followExports(
  { name, project, files, places }: Exporting,
  texts: FileTexts,
): Promise<Followed> {
  const exports = new Map<string, Set<string>>()
  const own = new Set(project.own)
  const read = new Map<string, { place: Place; file: SourceText }>()
  const importers = new Map<string, Place>()
  /** Words that were looked for, and those to look for: in all files, or in those that pass on all. */
  const words = new Set([name])
  const next = new Map<string, boolean>()
  let [length, isCut] = [0, false]

  await readAll(places)
  for (const { file } of read.values()) if (files.has(file.path)) add(file, name)
  do {
    for (const [word, isAll] of next) {
      next.delete(word)
      const key = isAll ? `${word} *` : word
      if (words.has(key) || words.has(word)) continue
      if (words.size >= maxWords) isCut = true
      else await readAll(await texts.mentioning(word, isAll))
      words.add(key)
    }
  } while (follow())
  return { exports, own, importers: [...importers.values()], words, isCut }

  async function readAll(some: readonly Place[]): Promise<void> {
    for (const place of some) {
      if (read.has(place.real)) continue
      if (read.size >= maxFiles || length > maxLength) {
        isCut = true
        return
      }
      const file = await texts.read(place)
      length += file?.text.length ?? 0
      if (file) read.set(place.real, { place, file })
    }
  }

  /** True if a file turns out to export it by a name that was not known. */
  function follow(): boolean {
    let isNew = false
    for (const { place, file } of read.values()) {
      const { locals, exported } = passedOn(
        file,
        exports,
        { ...project, own },
        files.has(file.path) ? [name] : [],
      )
      for (const path of exported) isNew = add(file, path) || isNew
      if ([...locals].some((local) => local !== name)) importers.set(place.real, place)
    }
    return isNew
  }

  function add({ path: from, manifest }: SourceText, path: string): boolean {
    const stem = stemOf(from)
    const paths = exports.get(stem) ?? new Set()
    if (paths.has(path)) return false
    exports.set(stem, paths.add(path))
    const last = path.slice(path.lastIndexOf('.') + 1)
    const isDefault = path === 'default' || path.startsWith('default.')
    if (manifest.name !== undefined && !project.isPython) {
      own.add(manifest.name)
      const ofPackage = exports.get(packagePrefix + manifest.name) ?? new Set()
      if (!isDefault) exports.set(packagePrefix + manifest.name, ofPackage.add(path))
    }
    if (path !== name && last !== 'default') next.set(last, false)
    // Files that take all, or the default, have the name of the file only.
    const file = stem.slice(stem.lastIndexOf('/') + 1)
    const isModule = project.isPython && !files.has(from) && !/__init__\.\w+$/.test(from)
    if (file !== '' && !isModule) next.set(file, path === name && (next.get(file) ?? true))
    return true
  }
}
