import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import { decoded } from '#base/decoded'
import type { LibraryPage, LibraryPages } from '../page/library-page.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import type { Listing } from '../page-listing/listing.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import { nearest } from '../protocol/nearest.ts'
import {
  type Declarations,
  type DescribeDeclarations,
  maxStamped,
  npmDeclarations,
  typesPackageOf,
} from './declarations.ts'
import { declaredPage } from './declared-page.ts'
import {
  addressOf,
  isVersion,
  type Library,
  type LibraryProject,
  ofVersion,
  parseAddress,
  titleOf,
} from './library.ts'
import { type ContainedPage, contentsOf, type LibraryContents } from './library-contents.ts'
import { openNpmProject } from './npm-project.ts'
import { stampAt } from './package-files.ts'
import { choiceFile, type ProjectChoice, readChoice } from './project-choice.ts'
import { openPythonProject, pythonName } from './python-project.ts'

export interface LibrariesOptions {
  /** The folder of a project, whose dependencies are sources by name. */
  folder: string
  /** Without it, libraries have no page of their declarations. */
  describe?: DescribeDeclarations | undefined
  maxPages: number
}

/** A library of a project, and what it has. */
export interface LibraryDescription extends Omit<Library, 'folder' | 'metadata'> {
  isInstalled: boolean
  /** In bytes; 0 without one. */
  readmeBytes: number
  docsPages: number
  hasChangeLog: boolean
  /** The package that declares its types: itself or one of `@types`; absent without types. */
  types?: string
}

export interface Libraries extends LibraryPages {
  /** Direct ones first. @throws {DocsError} for an invalid `docs-mcp.json`. */
  list(): Promise<LibraryDescription[]>
  /** The source of a library by its name and version. @throws {DocsError} `not_found`. */
  sourceOf(name: string): Promise<DocsSource>
  /** The README and docs of all direct libraries, as one source. */
  readonly all: DocsSource
}

interface Declared {
  declarations: Declarations
  words: string[]
  /** The package that has them. */
  from: string
  stamp: string
}

interface State {
  stamp: string
  projects: LibraryProject[]
  direct: Library[]
}

/** Pages of declarations in memory; making one takes a second of processor time. */
const maxDescribed = 16
/** Names that an error compares with. */
const maxNames = 20_000
const declarationsPage = 'API'

/** The libraries of a project. Its files are read at the first use, and again when they change. */
export function openLibraries({ folder, describe, maxPages }: LibrariesOptions): Libraries {
  const project = basename(folder)
  const described = new LRUCache<string, Promise<Page>>({ max: maxDescribed })
  let state: Promise<State> | undefined

  const all: DocsSource = {
    kind: 'library',
    name: `dependencies of ${project}`,
    id: folder,
    isOne: false,
    list: listAll,
  }
  return { all, list, page, sourceOf }

  async function current(): Promise<State> {
    const previous = await state?.catch(() => undefined)
    if (previous && previous.stamp === (await stampOf(previous.projects))) return previous
    state = read()
    return state
  }

  async function stampOf(projects: readonly LibraryProject[]): Promise<string> {
    const watched = [...projects.flatMap((one) => one.watched), join(folder, choiceFile)]
    return (await Promise.all(watched.map(stampAt))).join()
  }

  async function read(): Promise<State> {
    const real = await realpath(folder)
    const choice = await readChoice(real)
    const opened = await Promise.all([openNpmProject(real), openPythonProject(real)])
    const projects = opened.flatMap((one) => one ?? [])
    const stamp = await stampOf(projects)
    const lists = await Promise.all(projects.map((one) => one.list()))
    const added = await Promise.all(choice.add.map((one) => addedOf(one, projects)))
    const rest = lists.flat().filter(({ name }) => !choice.leaveOut.has(name))
    const isAdded = ({ name }: Library): boolean => choice.add.some((one) => one.name === name)
    return { stamp, projects, direct: [...added, ...rest.filter((one) => !isAdded(one))] }
  }

  async function addedOf(
    { name, version }: ProjectChoice['add'][number],
    projects: readonly LibraryProject[],
  ): Promise<Library> {
    const libraries = (await Promise.all(projects.map((one) => one.named(name)))).flat()
    const match = libraries.find((one) => version === undefined || isVersion(version, one.version))
    const planned = { version: version ?? '', lockfile: choiceFile }
    const absent: Library = {
      ecosystem: 'npm',
      name,
      version: version ?? '',
      group: 'added',
      planned,
    }
    return match ? { ...match, group: 'added' } : absent
  }

  /** All versions of a name: those that the project names directly come first. */
  async function named(name: string): Promise<Library[]> {
    const { direct, projects } = await current()
    const isNamed = (one: Library): boolean =>
      one.name === name || (one.ecosystem === 'Python' && one.name === pythonName(name))
    const others = (await Promise.all(projects.map((one) => one.named(name)))).flat()
    const libraries = new Map<string, Library>()
    for (const one of [...direct.filter(isNamed), ...others]) {
      const key = `${one.ecosystem} ${addressOf(one)}`
      if (!libraries.has(key)) libraries.set(key, one)
    }
    return [...libraries.values()]
  }

  async function missing(name: string): Promise<DocsError> {
    const { direct, projects } = await current()
    const installed = await Promise.all(projects.map((one) => one.names(maxNames)))
    const names = [...new Set([...direct.map((one) => one.name), ...installed.flat()])]
    const alike = nearest(name, names, (one) => one, 5)
    return new DocsError(
      'not_found',
      `${quoteValue(name)} is not installed in ${project}.`,
      alike.length > 0
        ? `Nearest: ${alike.join(', ')}. Or pass the URL of its documentation.`
        : 'Pass the URL of its documentation.',
    )
  }

  async function sourceOf(text: string): Promise<DocsSource> {
    const { name, version } = parseAddress(text) ?? { name: text }
    const versions = await named(name)
    if (versions.length === 0) throw await missing(name)
    const library = ofVersion(versions, version, project)
    const others = versions.filter((one) => one !== library && one.folder !== undefined)
    return {
      kind: 'library',
      name: titleOf(library),
      id: `${library.folder}\n${library.metadata ?? ''}\n${library.version}`,
      isOne: true,
      list: (most) => listOne(library, others, most),
    }
  }

  async function listOne(
    library: Library,
    others: readonly Library[],
    most: number,
  ): Promise<Listing> {
    const contents = await contentsOf(library, most)
    const declared = await declarationsOf(library, contents)
    const pages = pagesOf(library, contents, declared)
    const kinds = new Set(contents.pages.map(({ kind }) => `${kind}`))
    const { planned } = library
    const notes = [
      ...(planned ? [`${planned.lockfile} plans ${planned.version}`] : []),
      ...(others.length > 0
        ? [`also installed: ${others.map((one) => one.version).join(', ')}`]
        : []),
    ]
    const what = wordsOf([...kinds, ...(describe ? (declared?.words ?? []) : [])])
    return {
      via: [`${titleOf(library)}, installed: ${what}`, ...notes].join('; '),
      entries: pages.map(listed),
      more: contents.more,
    }
  }

  async function listAll(most: number): Promise<Listing> {
    const { direct } = await current()
    const installed = direct.filter((one) => one.folder !== undefined)
    const lists = await Promise.all(
      installed.map(async (library) => {
        const { pages, ...contents } = await contentsOf(library, most)
        const texts = pages.filter(({ kind }) => kind !== 'change log')
        return pagesOf(library, { ...contents, pages: texts }, undefined)
      }),
    )
    const pages = lists.flat()
    return {
      via: `README and docs of ${installed.length} packages installed in ${project}; for the types of one pass its name as source`,
      entries: pages.slice(0, most).map(listed),
      more: pages.length > most,
    }
  }

  async function declarationsOf(
    library: Library,
    { declarations }: Pick<LibraryContents, 'declarations'>,
  ): Promise<Declared | undefined> {
    if (declarations.modules.length > 0) {
      const words = library.ecosystem === 'npm' ? ['types'] : ['declarations']
      return { declarations, words, from: titleOf(library), stamp: await stampOfAll(declarations) }
    }
    if (library.ecosystem !== 'npm') return undefined
    const [typed] = await named(typesPackageOf(library.name))
    if (typed?.folder === undefined) return undefined
    const borrowed = await npmDeclarations(typed, typed.folder)
    if (borrowed.modules.length === 0) return undefined
    const from = titleOf(typed)
    const stamp = await stampOfAll(borrowed)
    return {
      declarations: { ...borrowed, name: library.name },
      words: [`types of ${from}`],
      from,
      stamp,
    }
  }

  function pagesOf(
    library: Library,
    { pages }: Pick<LibraryContents, 'pages'>,
    declared: Declared | undefined,
  ): LibraryPage[] {
    const base = addressOf(library)
    const place = (what: string): string => `${titleOf(library)}, installed: ${what}`
    const contained = pages.map(
      (page: ContainedPage): LibraryPage => ({
        url: `${base}/${page.path.replace(/[%#?\p{Cc}]/gu, encodeURIComponent)}`,
        place: place(page.kind),
        stamp: `${library.version}:${page.stamp}`,
        name: page.path,
        file: page.file,
        read: page.read,
        isManual: page.kind === 'README',
      }),
    )
    if (!declared || !describe) return contained
    const { declarations, words, stamp } = declared
    const url = `${base}/${declarationsPage}`
    const make = async () => declaredPage(url, titleOf(library), await describe(declarations))
    const read = (): Promise<Page> => describedOnce(`${url}\n${stamp}`, make)
    const api = { url, place: place(words.join()), stamp, name: 'API.md', read, isManual: true }
    return [...contained, api]
  }

  function describedOnce(key: string, make: () => Promise<Page>): Promise<Page> {
    const page = described.get(key) ?? make()
    described.set(key, page)
    page.catch(() => described.delete(key))
    return page
  }

  async function page(text: string): Promise<LibraryPage | undefined> {
    const parsed = parseAddress(text)
    if (!parsed) return undefined
    const versions = await named(parsed.name)
    if (versions.length === 0) {
      if (parsed.page !== undefined) return undefined
      throw await missing(parsed.name)
    }
    const library = ofVersion(versions, parsed.version, project)
    const contents = await contentsOf(library, maxPages)
    const pages = pagesOf(library, contents, await declarationsOf(library, contents))
    const base = addressOf(library)
    const names = [parsed.page, decoded(parsed.page ?? '')]
    const match = pages.find(
      ({ url, name }) => url === `${base}/${parsed.page}` || names.includes(name),
    )
    if (match) return match
    if (parsed.page === undefined && pages.length > 0) return wholeOf(library, pages)
    const list = pages.slice(0, 20).map(({ url }) => url)
    throw new DocsError(
      'not_found',
      `${titleOf(library)} has no page ${quoteValue(parsed.page ?? '')}.`,
      list.length > 0 ? `Its pages: ${list.join(', ')}.` : 'Pass the URL of its documentation.',
    )
  }

  /** Its README and its declarations as one manual. */
  function wholeOf(library: Library, pages: readonly LibraryPage[]): LibraryPage {
    const manual = pages.filter(({ isManual }) => isManual)
    const parts = manual.length > 0 ? manual : pages.slice(0, 1)
    const words = parts.map(({ place }) => place.replace(/^.*?, installed: /, ''))
    return {
      url: addressOf(library),
      place: `${titleOf(library)}, installed: ${wordsOf(words)}`,
      stamp: parts.map(({ stamp }) => stamp).join(),
      name: titleOf(library),
      read: async () => '',
      isManual: false,
      parts,
    }
  }

  async function list(): Promise<LibraryDescription[]> {
    const { direct } = await current()
    return Promise.all(
      direct.map(async ({ folder: place, metadata, ...library }) => {
        const own = { ...library, ...(place && { folder: place }), ...(metadata && { metadata }) }
        const contents = place === undefined ? undefined : await contentsOf(own, maxPages)
        const declared = contents && (await declarationsOf(own, contents))
        const pages = contents?.pages ?? []
        return {
          ...library,
          isInstalled: place !== undefined,
          readmeBytes: contents?.readmeBytes ?? 0,
          docsPages: pages.filter(({ kind }) => kind === 'docs').length,
          hasChangeLog: pages.some(({ kind }) => kind === 'change log'),
          ...(declared && { types: declared.from }),
        }
      }),
    )
  }
}

/** A package of the workspace changes without another version. */
async function stampOfAll({ folder, version, modules }: Declarations): Promise<string> {
  const files = modules.slice(0, maxStamped).map(({ file }) => stampAt(join(folder, file)))
  return [version, modules.length, ...(await Promise.all(files))].join(':')
}

const listed = ({ url, stamp, file }: LibraryPage): Listing['entries'][number] => ({
  location: { kind: 'file', path: url },
  stamp,
  ...(file !== undefined && { file }),
})

/** `README, docs and types`. */
const wordsOf = (words: readonly string[]): string =>
  words.length === 0
    ? 'nothing to read'
    : new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words)
