import { join } from 'node:path'
import type { Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import { stampAt } from '#fetch/file/stamp-at'
import type { LibraryPage } from '../library-page.ts'
import {
  type Declarations,
  type DescribeDeclarations,
  npmDeclarations,
  typesPackageOf,
} from './declarations.ts'
import { declaredPage } from './declared-page.ts'
import { addressOf, type Library, titleOf } from './library.ts'
import { contentsOf, type LibraryContents } from './library-contents.ts'
import type { Project } from './open-project.ts'

/** All that a library has to read. */
export interface LibraryManual extends Omit<LibraryContents, 'pages' | 'declarations'> {
  pages: LibraryPage[]
  /** `README, docs and types`. */
  what: string
  /** The package that declares its types: itself or one of `@types`. */
  types?: string
}

export interface Manuals {
  /** With `texts`, without its declarations. */
  manualOf(library: Library, texts?: boolean): Promise<LibraryManual>
  /** With its declarations; the same for a second, since a search looks up each page of a library. */
  recentManualOf(library: Library): Promise<LibraryManual>
}

/** Pages of declarations in memory; making one takes a second of processor time. */
const maxDescribed = 16
/** Manuals in memory, and milliseconds for which one answers for the pages of a search. */
const maxManuals = 50
const recentMs = 1_000
/** Modules by whose files a change is noticed. */
const maxStamped = 3

/** Reads what libraries have; without `describe` no page of their declarations. */
export function createManuals(
  project: Project,
  describe: DescribeDeclarations | undefined,
  maxPages: number,
): Manuals {
  const described = new LRUCache<string, Promise<Page>>({ max: maxDescribed })
  const manuals = new LRUCache<string, Promise<LibraryManual>>({ max: maxManuals, ttl: recentMs })
  return { manualOf, recentManualOf }

  function recentManualOf(library: Library): Promise<LibraryManual> {
    const key = JSON.stringify(library)
    const manual = manuals.get(key) ?? manualOf(library)
    manuals.set(key, manual, { noUpdateTTL: true })
    manual.catch(() => manuals.delete(key))
    return manual
  }

  async function manualOf(library: Library, texts = false): Promise<LibraryManual> {
    const { pages: contained, declarations, ...rest } = await contentsOf(library, maxPages)
    const pages = contained.map(({ kind, path, ...page }): LibraryPage => {
      const url = `${addressOf(library)}/${path.replace(/[%#?\p{Cc}]/gu, encodeURIComponent)}`
      const isManual = kind === 'README'
      return { ...page, url, kind, place: placeOf(library, kind), name: path, isManual }
    })
    const api = texts ? undefined : await apiOf(library, declarations)
    if (api && describe) pages.push(api.page)
    const types = api && { types: api.types }
    return { ...rest, pages, what: wordsOf(pages.map(({ kind }) => kind)), ...types }
  }

  /** Its declarations, or else those that another package has for it. */
  async function apiOf(
    library: Library,
    declarations: Declarations,
  ): Promise<{ page: LibraryPage; types: string } | undefined> {
    if (declarations.modules.length > 0)
      return apiPage(library, declarations, library.ecosystem === 'npm' ? 'types' : 'declarations')
    if (library.ecosystem !== 'npm') return undefined
    const [typed] = await project.versionsOf(typesPackageOf(library.name))
    if (typed?.folder === undefined) return undefined
    const borrowed = await npmDeclarations(typed, typed.folder)
    return borrowed.modules.length === 0
      ? undefined
      : apiPage(library, { ...borrowed, name: library.name }, `types of ${titleOf(typed)}`)
  }

  async function apiPage(library: Library, declarations: Declarations, kind: string) {
    const { folder, version, modules } = declarations
    const url = `${addressOf(library)}/API`
    const files = modules.slice(0, maxStamped).map(({ file }) => stampAt(join(folder, file)))
    const stamp = [version, modules.length, ...(await Promise.all(files))].join(':')
    const read = (): Promise<Page> => {
      const key = [url, folder, stamp].join('\n')
      const page = described.get(key) ?? make()
      described.set(key, page)
      page.catch(() => described.delete(key))
      return page
    }
    const make = async (): Promise<Page> => {
      const names = (await describe?.(declarations)) ?? { names: [], notes: [] }
      return declaredPage(url, titleOf(library), names)
    }
    const place = placeOf(library, kind)
    const types = kind.replace(/^types of /, '')
    const page = { url, kind, place, stamp, name: 'API.md', read, isManual: true }
    return { page, types: types === kind ? titleOf(library) : types }
  }
}

/** The README and the declarations of a library as one page. */
export function wholeOf(library: Library, { pages }: LibraryManual): LibraryPage | undefined {
  const [first] = pages
  if (!first) return undefined
  const manual = pages.filter(({ isManual }) => isManual)
  const parts = manual.length > 0 ? manual : [first]
  const what = wordsOf(parts.map(({ kind }) => kind))
  return {
    url: addressOf(library),
    kind: what,
    place: placeOf(library, what),
    stamp: parts.map(({ stamp }) => stamp).join(),
    name: titleOf(library),
    read: async () => '',
    isManual: false,
    parts,
  }
}

/** `zod 4.1.0, installed: README`. With the version that a lockfile plans instead. */
export function placeOf(library: Library, what: string): string {
  const { planned } = library
  const plan = planned ? ` (${planned.lockfile} plans ${planned.version})` : ''
  return `${titleOf(library)}${plan}, installed: ${what}`
}

const wordsOf = (kinds: readonly string[]): string =>
  kinds.length === 0
    ? 'nothing to read'
    : new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(new Set(kinds))
