import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Roots } from '../access/roots.ts'
import { isTest } from '../access/test-files.ts'
import { CodeError } from '../code-error.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { type Account, addUnparsed } from '../search/account.ts'
import type { Scope } from '../search/candidates.ts'
import type { SearchThread } from '../search/search-thread.ts'
import { asideOf, hitOf, type SymbolHit } from '../search/symbol-hit.ts'
import type { SourceText } from './exports.ts'
import { type Followed, followExports, type Place } from './follow-exports.ts'
import { type Implementers, implementersOf } from './go-methods.ts'
import { importsIn } from './imports.ts'
import { createManifests, type Manifest } from './packages.ts'
import {
  type FileUses,
  type Matching,
  matchingOf,
  type Subject,
  type UsedIn,
  type UsingFile,
  usesIn,
} from './uses.ts'

/** Uses of a name: those of one page of the files that have it. */
export interface References {
  name: string
  /** Best first. */
  definitions: readonly SymbolHit[]
  /** Files that may define it and were not read. */
  definersLeft?: number
  /** `import`: of the definition that a file imports; `name`: of anything with the name. */
  matching: Matching
  /** Files with uses, those of tests last. */
  files: readonly FileUses[]
  /** Of an interface of Go: the types with its methods. */
  implementers?: Implementers
  /** Number of symbols whose uses are of another kind than asked for. */
  otherKinds: number
  /** Lines with the name in comments and texts, or of which it is not known what they mean. */
  rest: OtherLines
  /** Lines where the name means another thing: a variable, or what is imported from elsewhere. */
  others: OtherLines
  /** Other names under which it is exported were followed in a part of the files only. */
  isFollowedInPart?: true
  /** Place among the files with the name at which this page begins, and the next one, if any. */
  from: number
  next?: number
  /** Number of files with the name, or, if they are many, with another spelling of it. */
  total: number
  account: Account
}

/** Lines of a page of files: the first ones, and how many there are, in how many files. */
export interface OtherLines {
  lines: { file: string; line: number; text: string }[]
  count: number
  files: number
}

/** Which uses, and where their page begins. */
export interface ReferenceOptions {
  /** Only these uses. Default all. */
  kind?: 'implementations' | 'tests' | undefined
  /** Place of the first file. */
  from?: number | undefined
  signal?: AbortSignal | undefined
}

/** Symbols with uses after which a page ends, and files. */
const maxSymbols = 100
const maxFiles = 2_000
/** Files whose definitions of a name are read. */
const maxDefiners = 200
/** Files that are read at once. */
const readAhead = 64

/** Lines of {@link OtherLines}, and characters of each. */
const maxOtherLines = 10
const maxLineLength = 160

/** Finds the definitions of a name and what uses it. */
export async function referencesTo(
  { roots, files, thread }: { roots: Roots; files: SourceFiles; thread: SearchThread },
  query: string,
  scope: Scope,
  options: ReferenceOptions,
): Promise<References> {
  const { from = 0, signal } = options
  const wanted = readName(query)
  const { name } = wanted
  const everywhere = { maxFiles: scope.maxFiles, waitMs: scope.waitMs }
  const { account, ...mentions } = await thread.mentions(name, scope, signal)
  const isDefiner = new Set(mentions.definers)
  const definers = placesOf(mentions.definers, isDefiner, roots)
  const reader = createReader(roots, files, thread)
  const definingFiles = await reader.readAll(definers.slice(0, maxDefiners))
  const { definitions, namesakes } = findDefinitions(definingFiles, wanted)
  const places = inPackage(name, definitions, placesOf(mentions.files, isDefiner, roots))
  const language = definingFiles[0]?.language?.name
  const matching = wanted.holder === undefined ? matchingOf(definitions, language) : 'name'
  const about = { name, matching, isPython: language === 'python' }
  const subject = await subjectOf(about, definitions, namesakes, definers)
  const followed = matching === 'import' ? await followUp(subject, isDefiner) : undefined
  const all = [...places, ...(followed?.importers ?? [])]
  const { unparsed, found, ...page } = await readUses(
    { ...subject, ...followed },
    new Set(definers.map(({ path }) => path)),
    { ...options, places: all, from, reader, thread },
  )
  const isAny = wanted.holder === undefined && wanted.file === undefined
  return {
    name,
    definitions: isAny ? [...definitions, ...found] : definitions,
    matching,
    from,
    ...page,
    total: all.length,
    ...(definers.length > maxDefiners && { definersLeft: definers.length - maxDefiners }),
    ...(from === 0 && options.kind !== 'tests' && (await byMethods(definitions[0]))),
    ...(followed?.isCut && { isFollowedInPart: true }),
    account: { ...account, unparsed, unreadable: account.unreadable + reader.unreadable() },
  }

  async function byMethods(hit: SymbolHit | undefined) {
    if (language !== 'go' || hit?.kind !== 'interface') return {}
    const file = definingFiles.find(({ path }) => path === hit.file)
    const symbol = file?.symbols.find(({ path }) => path === hit.path)
    if (!file || !symbol) return {}
    const defining = async (method: string): Promise<Place[]> => {
      const { definers } = await thread.mentions(method, everywhere, signal)
      return placesOf(definers, isDefiner, roots)
    }
    return { implementers: await implementersOf(file, symbol, { read: reader.readAll, defining }) }
  }

  /** Under which names it is exported, and the files that have it by another name only. */
  async function followUp(subject: Subject, isDefiner: ReadonlySet<string>) {
    const isScoped = scope.within !== undefined || scope.glob !== undefined
    const mentioning = async (word: string, where: Scope): Promise<Place[]> =>
      placesOf((await thread.mentions(word, where, signal)).files, isDefiner, roots)
    const followed = await followExports(
      {
        name,
        project: subject,
        files: subject.files,
        places: isScoped ? await mentioning(name, everywhere) : places,
      },
      {
        read: reader.textOf,
        async mentioning(word, isAll) {
          const files = await mentioning(word, everywhere)
          if (!isAll) return files
          const reals = files.map(({ real }) => real)
          const passing = new Set(
            await thread.containing(`${subject.isPython ? 'im' : 'ex'}port *`, reals),
          )
          return files.filter(({ real }) => passing.has(real))
        },
      },
    )
    const known = new Set(places.map(({ real }) => real))
    const inScope = new Set<string>()
    for (const word of isScoped ? followed.words : [])
      for (const { real } of await mentioning(word, scope)) inScope.add(real)
    const importers = followed.importers.filter(
      ({ real }) => !known.has(real) && (!isScoped || inScope.has(real)),
    )
    return { ...followed, importers }
  }
}

/** The definitions that are meant, best first, and all of the name. A constructor is only that of a class. */
function findDefinitions(files: readonly SourceFile[], { name, holder, file }: NamePath) {
  const named = files.flatMap((source) => definitionsIn(source, name))
  const isOnlyConstructors = named.every(({ kind }) => kind === 'constructor')
  const namesakes = named
    .filter(({ kind }) => kind !== 'constructor' || isOnlyConstructors)
    .sort((a, b) => asideOf(a) - asideOf(b))
  const held =
    holder === undefined ? namesakes : namesakes.filter((hit) => holderOf(hit) === holder)
  const ofFile = file === undefined ? [] : held.filter((hit) => hit.file === file)
  return { definitions: ofFile.length > 0 ? ofFile : held, namesakes }
}

/** The name before the last one of a name path; empty without one. */
const holderOf = ({ path }: SymbolHit): string =>
  path
    .replace(/\[\d+\]$/, '')
    .split('/')
    .at(-2) ?? ''

interface PageOfPlaces extends ReferenceOptions {
  places: readonly Place[]
  from: number
  reader: ReturnType<typeof createReader>
  thread: SearchThread
}

/** The uses of one page, and the place at which the next begins. */
async function readUses(
  subject: Subject & Partial<Followed>,
  definers: ReadonlySet<string>,
  page: PageOfPlaces,
) {
  const { places, from, kind, signal, reader, thread } = page
  const files: FileUses[] = []
  /** Definitions in files whose bytes do not look like having any. */
  const found: SymbolHit[] = []
  const [rest, others] = [noLines(), noLines()]
  let unparsed: Account['unparsed'] = []
  let [symbols, otherKinds, end] = [0, 0, from]
  const isOfKind = (group: UsedIn): boolean =>
    kind !== 'implementations' || group.kind === 'extends'
  while (end < places.length && symbols < maxSymbols && end - from < maxFiles) {
    signal?.throwIfAborted()
    const next = places.slice(end, end + readAhead)
    end += next.length
    const reals = next.map(({ real }) => real)
    const containing = new Set(await thread.containing(subject.name, reals))
    const imports = new Set(subject.importers?.map(({ real }) => real))
    const isMeant = ({ real }: Place): boolean => containing.has(real) || imports.has(real)
    for (const file of await reader.readAll(next.filter(isMeant))) {
      if (!definers.has(file.path)) found.push(...definitionsIn(file, subject.name))
      const uses = usesIn(file, subject)
      if (file.unparsed !== undefined) unparsed = addUnparsed(unparsed, file.unparsed, file.path)
      addLines(rest, file, uses.rest)
      addLines(others, file, uses.others)
      const usedIn = uses.usedIn.filter(
        (group) => isOfKind(group) && (kind !== 'tests' || uses.isTest),
      )
      otherKinds += uses.usedIn.length - usedIn.length
      if (usedIn.length === 0 && (kind !== undefined || !uses.isImported)) continue
      files.push({ ...uses, usedIn })
      symbols += usedIn.length
    }
  }
  return {
    files,
    found,
    otherKinds,
    rest,
    others,
    unparsed,
    ...(end < places.length && { next: end }),
  }
}

const noLines = (): OtherLines => ({ lines: [], count: 0, files: 0 })

function addLines(to: OtherLines, { path, lines }: SourceFile, some: readonly number[]): void {
  to.count += some.length
  if (some.length > 0) to.files++
  for (const line of some.slice(0, maxOtherLines - to.lines.length))
    to.lines.push({ file: path, line, text: lines.text(line).trim().slice(0, maxLineLength) })
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
function createReader(roots: Roots, files: SourceFiles, thread: SearchThread) {
  const unreadable = new Set<string>()
  const manifestOf = createManifests(roots.folders)
  return {
    unreadable: () => unreadable.size,
    readAll: (places: readonly Place[]): Promise<UsingFile[]> =>
      eachOf(places, async ({ real }) => files.outlined(real, await thread.symbolsOf(real))),
    async textOf(place: Place): Promise<SourceText | undefined> {
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

/** A name of Go in lower case is that of its folder. */
function inPackage(name: string, definitions: readonly SymbolHit[], places: Place[]): Place[] {
  const isOfFolder =
    definitions.length > 0 &&
    /^\p{Ll}/u.test(name) &&
    definitions.every(({ file }) => file.endsWith('.go'))
  if (!isOfFolder) return places
  const folders = new Set(definitions.map(({ file }) => dirname(file)))
  return places.filter(({ path }) => folders.has(dirname(path)))
}

async function subjectOf(
  about: Pick<Subject, 'name' | 'matching' | 'isPython'>,
  definitions: readonly SymbolHit[],
  namesakes: readonly SymbolHit[],
  definers: readonly Place[],
): Promise<Subject> {
  const files = new Set(definitions.map(({ file }) => file))
  const holders = new Set(definitions.map(holderOf))
  const otherHolders = new Set(namesakes.map(holderOf).filter((holder) => !holders.has(holder)))
  otherHolders.delete('')
  const definingPlaces = definers.filter(({ path }) => files.has(path))
  const roots = about.isPython ? await packageRoots(definingPlaces) : []
  return { ...about, files, otherHolders, roots, own: new Set(), exports: new Map() }
}

/** The folders around the packages of some files: those without an `__init__.py`, with `/`. */
async function packageRoots(files: readonly Place[]): Promise<string[]> {
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

/** The last name of a name path, the one before it, and the file of an id. */
type NamePath = { name: string; holder?: string; file?: string }

function readName(query: string): NamePath {
  const [, file, path = ''] = /^(?:(.*)#)?(.*)$/s.exec(query.trim()) ?? []
  const parts = path
    .replace(/\(.*$/s, '')
    .replace(/\[\d+\]$/, '')
    .split(/::|[./]|->/)
    .filter(Boolean)
  const [holder, name = path] = parts.length > 1 ? parts.slice(-2) : [undefined, parts[0]]
  return { name, ...(holder !== undefined && { holder }), ...(file !== undefined && { file }) }
}

const definitionsIn = (file: SourceFile, wanted: string): SymbolHit[] =>
  [...file.symbols, ...file.values]
    .filter(({ name }) => name === wanted)
    .map((symbol) => hitOf(file, symbol))
