import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Roots } from '../access/roots.ts'
import { isTest } from '../access/test-files.ts'
import { CodeError } from '../code-error.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import type { Account } from '../search/account.ts'
import type { Scope } from '../search/candidates.ts'
import type { SearchThread } from '../search/search-thread.ts'
import { asideOf, hitOf, type SymbolHit } from '../search/symbol-hit.ts'
import { stemOf } from './imports.ts'
import {
  type FileUses,
  type Matching,
  matchingOf,
  type Subject,
  type UsedIn,
  usesIn,
  withBarrels,
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
  /** Place among the files with the name at which this page begins, and the next one, if any. */
  from: number
  next?: number
  /** Number of files with the name, or, if they are many, with another spelling of it. */
  total: number
  account: Account
}

/** Which uses, and where their page begins. */
export interface ReferenceOptions {
  /** Only these uses; those of tests are separate. Default all. */
  kind?: 'calls' | 'implementations' | 'tests' | undefined
  /** Place of the first file. */
  from?: number | undefined
  signal?: AbortSignal | undefined
}

/** Symbols with uses after which a page ends, and files. */
const maxSymbols = 100
const maxFiles = 2_000
/** Files whose definitions of a name are read. */
const maxDefiners = 200
/** Files that may pass a name of several definitions on. */
const barrel = /\b(?:index|__init__)\.\w+$/
const maxBarrels = 64
/** Files that are read at once. */
const readAhead = 64

const kinds: Readonly<Record<NonNullable<ReferenceOptions['kind']>, readonly UsedIn['kind'][]>> = {
  calls: ['call'],
  implementations: ['extends'],
  tests: ['call', 'extends', 'use'],
}

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
  const { account, ...mentions } = await thread.mentions(name, scope, signal)
  const isDefiner = new Set(mentions.definers)
  const definers = placesOf(mentions.definers, isDefiner, roots)
  const reader = createReader(files, thread)
  const definingFiles = await reader.readAll(definers.slice(0, maxDefiners))
  const { definitions, namesakes } = findDefinitions(definingFiles, wanted)
  const places = inPackage(name, definitions, placesOf(mentions.files, isDefiner, roots))
  const language = definingFiles[0]?.language?.name
  const matching = wanted.holder === undefined ? matchingOf(definitions, language) : 'name'
  const about = { name, matching, isPython: language === 'python' }
  const direct = await subjectOf(about, definitions, namesakes, definers, places)
  const barrels = direct.otherStems.size === 0 ? [] : places.filter(({ path }) => barrel.test(path))
  const subject = withBarrels(direct, await reader.readAll(barrels.slice(0, maxBarrels)))
  const page = await readUses(subject, { ...options, places, from, reader, thread })
  return {
    name,
    definitions,
    matching,
    from,
    ...page,
    total: places.length,
    ...(definers.length > maxDefiners && { definersLeft: definers.length - maxDefiners }),
    account: { ...account, unreadable: account.unreadable + reader.unreadable() },
  }
}

/** The definitions that are meant, best first, and all of the name. A constructor is only that of a class. */
function findDefinitions(files: readonly SourceFile[], { name, holder, file }: NamePath) {
  const named = files.flatMap((source) => definitionsIn(source, name, holder))
  const isOnlyConstructors = named.every(({ kind }) => kind === 'constructor')
  const namesakes = named
    .filter(({ kind }) => kind !== 'constructor' || isOnlyConstructors)
    .sort((a, b) => asideOf(a) - asideOf(b))
  const ofFile = file === undefined ? [] : namesakes.filter((hit) => hit.file === file)
  return { definitions: ofFile.length > 0 ? ofFile : namesakes, namesakes }
}

interface PageOfPlaces extends ReferenceOptions {
  places: readonly Place[]
  from: number
  reader: ReturnType<typeof createReader>
  thread: SearchThread
}

/** The uses of one page, and the place at which the next begins. */
async function readUses(subject: Subject, page: PageOfPlaces) {
  const { places, from, kind, signal, reader, thread } = page
  const files: FileUses[] = []
  let symbols = 0
  let end = from
  while (end < places.length && symbols < maxSymbols && end - from < maxFiles) {
    signal?.throwIfAborted()
    const next = places.slice(end, end + readAhead)
    end += next.length
    const reals = next.map(({ real }) => real)
    const containing = new Set(await thread.containing(subject.name, reals))
    for (const file of await reader.readAll(next.filter(({ real }) => containing.has(real)))) {
      const uses = usesIn(file, subject)
      if (!uses || (kind !== undefined && uses.isTest !== (kind === 'tests'))) continue
      const usedIn = uses.usedIn.filter((group) => kinds[kind ?? 'tests'].includes(group.kind))
      if (usedIn.length === 0 && (kind !== undefined || !uses.isImported)) continue
      files.push({ ...uses, usedIn })
      symbols += usedIn.length
    }
  }
  return { files, ...(end < places.length && { next: end }) }
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
function createReader(files: SourceFiles, thread: SearchThread) {
  let unreadable = 0
  return {
    unreadable: () => unreadable,
    async readAll(places: readonly Place[]): Promise<SourceFile[]> {
      const sources: SourceFile[] = []
      for (let at = 0; at < places.length; at += readAhead) {
        const some = await Promise.all(places.slice(at, at + readAhead).map(read))
        sources.push(...some.flatMap((file) => file ?? []))
      }
      return sources
    },
  }

  async function read({ real }: Place): Promise<SourceFile | undefined> {
    try {
      return await files.outlined(real, await thread.symbolsOf(real))
    } catch (error) {
      if (error instanceof CodeError === false) throw error
      unreadable++
      return undefined
    }
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

interface Place {
  real: string
  path: string
}

async function subjectOf(
  about: Pick<Subject, 'name' | 'matching' | 'isPython'>,
  definitions: readonly SymbolHit[],
  namesakes: readonly SymbolHit[],
  definers: readonly Place[],
  places: readonly Place[],
): Promise<Subject> {
  const files = new Set(definitions.map(({ file }) => file))
  const definingPlaces = definers.filter(({ path }) => files.has(path))
  const roots = about.isPython ? await packageRoots(definingPlaces) : []
  const tops = definingPlaces.flatMap(({ path }) =>
    roots.filter((root) => path.startsWith(root)).map((root) => path.slice(root.length)),
  )
  return {
    ...about,
    files,
    stems: new Set([...files].map(stemOf)),
    otherStems: new Set(
      namesakes.filter(({ file }) => !files.has(file)).map(({ file }) => stemOf(file)),
    ),
    repositoryStems: new Set([...definers, ...places].map(({ path }) => stemOf(path))),
    roots,
    packages: new Set(tops.map((path) => stemOf(path).replace(/\/.*$/s, ''))),
  }
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

function definitionsIn(file: SourceFile, name: string, holder: string | undefined): SymbolHit[] {
  return [...file.symbols, ...file.values]
    .filter(
      (symbol) =>
        symbol.name === name && (holder === undefined || symbol.bare.endsWith(`${holder}/${name}`)),
    )
    .map((symbol) => hitOf(file, symbol))
}
