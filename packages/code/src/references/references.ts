import type { Roots } from '../access/roots.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { type Account, addUnparsed } from '../search/account.ts'
import type { Scope } from '../search/candidates.ts'
import type { SearchThread } from '../search/search-thread.ts'
import type { SymbolHit } from '../search/symbol-hit.ts'
import { definitionsIn, findDefinitions, holderOf, inPackage, readName } from './definitions.ts'
import { type Followed, followExports } from './follow-exports.ts'
import { type Implementers, implementersOf } from './go-methods.ts'
import {
  createReader,
  type Place,
  type PlaceReader,
  packageRoots,
  readAhead,
} from './read-places.ts'
import {
  type FileUses,
  type Matching,
  matchingOf,
  type Subject,
  type UsedIn,
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
/** Lines of {@link OtherLines}, and characters of each. */
const maxOtherLines = 10
const maxLineLength = 160

/** Finds the definitions of a name and what uses it. */
export async function referencesTo(
  deps: { roots: Roots; files: SourceFiles; thread: SearchThread },
  query: string,
  scope: Scope,
  options: ReferenceOptions,
): Promise<References> {
  const { from = 0, signal } = options
  const wanted = readName(query)
  const { name } = wanted
  const { account, ...mentions } = await deps.thread.mentions(name, scope, signal)
  const reader = createReader(deps, mentions.definers, signal)
  const definers = reader.placesOf(mentions.definers)
  const definingFiles = await reader.readAll(definers.slice(0, maxDefiners))
  const { definitions, namesakes } = findDefinitions(definingFiles, wanted)
  const places = inPackage(name, definitions, reader.placesOf(mentions.files))
  const language = definingFiles[0]?.language?.name
  const matching = wanted.holder === undefined ? matchingOf(definitions, language) : 'name'
  const about = { name, matching, isPython: language === 'python' }
  const subject = await subjectOf(about, definitions, namesakes, definers)
  const followed =
    matching === 'import' ? await followUp(subject, places, reader, scope) : undefined
  const all = [...places, ...(followed?.importers ?? [])]
  const { unparsed, found, ...page } = await readUses(
    { ...subject, ...followed },
    new Set(definers.map(({ path }) => path)),
    { ...options, places: all, from, reader, thread: deps.thread },
  )
  const isListed = from === 0 && options.kind !== 'tests'
  const isAny = wanted.holder === undefined && wanted.file === undefined
  return {
    name,
    definitions: isAny ? [...definitions, ...found] : definitions,
    matching,
    from,
    ...page,
    total: all.length,
    ...(definers.length > maxDefiners && { definersLeft: definers.length - maxDefiners }),
    ...(isListed && (await byMethods(definitions[0], definingFiles, reader, scope))),
    ...(followed?.isCut && { isFollowedInPart: true }),
    account: { ...account, unparsed, unreadable: account.unreadable + reader.unreadable() },
  }
}

const withoutPlace = ({ maxFiles, waitMs }: Scope): Scope => ({ maxFiles, waitMs })

/** The types with the methods of an interface of Go. */
async function byMethods(
  hit: SymbolHit | undefined,
  files: readonly SourceFile[],
  reader: PlaceReader,
  scope: Scope,
) {
  const file = files.find(({ path }) => path === hit?.file)
  const symbol = file?.symbols.find(({ path }) => path === hit?.path)
  if (file?.language?.name !== 'go' || symbol?.kind !== 'interface') return {}
  const defining = (name: string): Promise<Place[]> => reader.defining(name, withoutPlace(scope))
  return { implementers: await implementersOf(file, symbol, { read: reader.readAll, defining }) }
}

/** Under which names it is exported, and the files of the scope that have it by another name only. */
async function followUp(
  subject: Subject,
  places: readonly Place[],
  reader: PlaceReader,
  scope: Scope,
) {
  const { name, files } = subject
  const isScoped = scope.within !== undefined || scope.glob !== undefined
  const everywhere = withoutPlace(scope)
  const passing = `${subject.isPython ? 'im' : 'ex'}port *`
  const all = isScoped ? await reader.mentioning(name, everywhere) : places
  const followed = await followExports(
    { name, project: subject, files, places: all },
    {
      read: reader.textOf,
      mentioning: (word, isAll) => reader.mentioning(word, everywhere, isAll ? passing : undefined),
    },
  )
  const known = new Set(places.map(({ real }) => real))
  const inScope = new Set<string>()
  for (const word of isScoped ? followed.words : [])
    for (const { real } of await reader.mentioning(word, scope)) inScope.add(real)
  const importers = followed.importers.filter(
    ({ real }) => !known.has(real) && (!isScoped || inScope.has(real)),
  )
  return { ...followed, importers }
}

interface PageOfPlaces extends ReferenceOptions {
  places: readonly Place[]
  from: number
  reader: PlaceReader
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
  const own = new Set<string>()
  return { ...about, files, otherHolders, roots, own, exports: new Map() }
}
