import { decoded } from '#base/decoded'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { LibraryPage, LibraryPages } from '../library-page.ts'
import type { LibraryEntry, LibraryListing, LibrarySource } from '../library-source.ts'
import type { DescribeDeclarations } from './declarations.ts'
import { declaredRepository, type PackageRepository } from './declared-repository.ts'
import { addressOf, type Library, ofVersion, parseAddress, titleOf } from './library.ts'
import { createManuals, type LibraryManual, placeOf, wholeOf } from './library-manual.ts'
import { openProject, type Project } from './open-project.ts'

/** The project whose libraries are served. */
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
  sourceOf(name: string): Promise<LibrarySource>
  /** What the manifest of a library says of its repository. @throws {DocsError} `not_found`. */
  repositoryOf(name: string): Promise<PackageRepository>
  /** The README and docs of all direct libraries, as one source. */
  readonly all: LibrarySource
}

/** Pages that an error names. */
const maxNamed = 20

/** The libraries of a project as sources and pages. */
export function openLibraries({ folder, describe, maxPages }: LibrariesOptions): Libraries {
  const project = openProject(folder)
  const { manualOf, recentManualOf } = createManuals(project, describe, maxPages)
  const name = `dependencies of ${project.name}`
  const all: LibrarySource = { kind: 'library', name, id: folder, isOne: false, list: listAll }
  const repositoryOf = async (text: string): Promise<PackageRepository> =>
    declaredRepository((await libraryNamed(project, text)).library)
  return { all, list, page, sourceOf, repositoryOf }

  async function sourceOf(text: string): Promise<LibrarySource> {
    const { library, versions } = await libraryNamed(project, text)
    const rest = versions.flatMap(({ folder: place, version }) =>
      place === undefined || version === library.version ? [] : [version],
    )
    return {
      kind: 'library',
      name: titleOf(library),
      id: `${library.folder}\n${library.metadata ?? ''}\n${library.version}`,
      isOne: true,
      async list() {
        const { pages, what, more } = await manualOf(library)
        if (pages.length === 0)
          throw new DocsError(
            'not_found',
            `${titleOf(library)} has no README, docs or declarations.`,
            'Pass the URL of its documentation.',
          )
        const also = rest.length > 0 ? `; also installed: ${rest.join(', ')}` : ''
        return { via: `${placeOf(library, what)}${also}`, entries: pages.map(entryOf), more }
      },
    }
  }

  async function listAll(most: number): Promise<LibraryListing> {
    const installed = (await project.direct()).filter((library) => library.folder !== undefined)
    const manuals = await Promise.all(installed.map((library) => manualOf(library, true)))
    const pages = manuals.flatMap((manual) =>
      manual.pages.filter(({ kind }) => kind !== 'change log'),
    )
    return {
      via: `README and docs of ${installed.length} packages installed in ${project.name}; for the types of one pass its name as source`,
      entries: pages.slice(0, most).map(entryOf),
      more: pages.length > most,
    }
  }

  async function page(text: string): Promise<LibraryPage | undefined> {
    const address = parseAddress(text)
    if (!address) return undefined
    const versions = await project.versionsOf(address.name)
    if (versions.length === 0 && address.page !== undefined) return undefined
    if (versions.length === 0) throw await project.missing(address.name)
    const library = ofVersion(versions, address.version, project.name)
    const manual = await recentManualOf(library)
    const base = addressOf(library)
    const names = [address.page, decoded(address.page ?? '')]
    const match =
      address.page === undefined
        ? wholeOf(library, manual)
        : manual.pages.find(
            ({ url, name: path }) => url === `${base}/${address.page}` || names.includes(path),
          )
    if (match) return match
    const urls = manual.pages.slice(0, maxNamed).map(({ url }) => url)
    throw new DocsError(
      'not_found',
      `${titleOf(library)} has no page ${quoteValue(address.page ?? '')}.`,
      urls.length > 0 ? `Its pages: ${urls.join(', ')}.` : 'Pass the URL of its documentation.',
    )
  }

  async function list(): Promise<LibraryDescription[]> {
    const direct = await project.direct()
    return Promise.all(
      direct.map(async (library) =>
        descriptionOf(library, library.folder === undefined ? undefined : await manualOf(library)),
      ),
    )
  }
}

async function libraryNamed(project: Project, text: string) {
  const address = parseAddress(text) ?? { name: text }
  const versions = await project.versionsOf(address.name)
  if (versions.length === 0) throw await project.missing(address.name)
  return { library: ofVersion(versions, address.version, project.name), versions }
}

function descriptionOf(
  { folder, metadata: _, ...library }: Library,
  manual: LibraryManual | undefined,
): LibraryDescription {
  const kinds = manual?.pages.map(({ kind }) => kind) ?? []
  return {
    ...library,
    isInstalled: folder !== undefined,
    readmeBytes: manual?.readmeBytes ?? 0,
    docsPages: kinds.filter((kind) => kind === 'docs').length,
    hasChangeLog: kinds.includes('change log'),
    ...(manual?.types && { types: manual.types }),
  }
}

const entryOf = ({ url, stamp, file }: LibraryPage): LibraryEntry => ({
  location: { kind: 'file', path: url },
  stamp,
  ...(file !== undefined && { file }),
})
