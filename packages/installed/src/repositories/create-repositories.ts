import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { LRUCache } from 'lru-cache'
import { decodeText } from '#fetch/decode-html'
import { listedMs, listFolder } from '#fetch/file/list-folder'
import { readFileBytes } from '#fetch/file/read-file-bytes'
import { failedMs } from '#fetch/robots'
import { DocsError, quoteValue } from '#formats/docs-error'
import { formatOfFile } from '#formats/page-format'
import type { PackageRepository } from '../libraries/declared-repository.ts'
import { fileIn } from '../libraries/package-files.ts'
import type { LibraryPage, LibraryPages } from '../library-page.ts'
import type { LibraryListing, LibrarySource } from '../library-source.ts'
import {
  type ArchivesOptions,
  archiveAt,
  type Kept,
  type Opened,
  openArchive,
  type Request,
  shownRef,
} from './kept-archives.ts'
import { fileAddress, repositoryAt, repositoryNamed, titleOf } from './repository-address.ts'

export interface Repositories extends LibraryPages {
  /** Those that archives come from. */
  hosts: readonly URL[]
  /** The source at the address of a repository or a folder of it; undefined for other addresses. */
  sourceAt(url: string): LibrarySource | undefined
  /** The repository of a package at the tag of its version. @throws {DocsError} */
  repositoryDocs(declared: PackageRepository): LibrarySource
}

/** Folders with documentation, the usual ones first, and pages next to them. */
const docsFolders = ['docs', 'documentation', 'doc', 'website/docs', 'site']
const mainPages = /^(?:readme|change-?log|changes|history|news)(?:\.|$)/i
/** Pages of a repository beyond so many are not counted. */
const maxCounted = 20_000

/**
 * Repositories as sources, read through their archives, and the pages of those that are kept, of at
 * most `maxBytes`.
 */
export function createRepositories(options: ArchivesOptions & { maxBytes: number }): Repositories {
  const github = { ...options, limitedUntil: 0 }
  const opened = new LRUCache<string, Opened, Request>({
    max: 50,
    ttl: listedMs,
    fetchMethod: async (_key, _stale, { context, options: entry }) => {
      const open = await openArchive(github, context)
      if (open.problem !== undefined) entry.ttl = failedMs
      return open
    },
  })
  const hosts = [new URL(options.api), new URL('https://codeload.github.com')]
  return { hosts, sourceAt, repositoryDocs, page }

  function sourceAt(url: string): LibrarySource | undefined {
    const place = repositoryAt(url)
    if (!place || place.view === 'blob') return undefined
    return sourceOf(url, { ...place, tags: [], directory: '' })
  }

  function repositoryDocs({
    repository,
    directory,
    name,
    version,
  }: PackageRepository): LibrarySource {
    const place = repositoryNamed(repository)
    if (!place || version === '')
      throw new DocsError(
        'not_found',
        `The manifest of ${quoteValue(name)} names no ${place ? 'version' : 'repository on GitHub'}.`,
        'Pass the URL of its documentation.',
      )
    const folderTags = directory ? [`${directory}/v${version}`] : []
    const tags = [
      `${name}@${version}`,
      `v${version}`,
      version,
      `${name}-v${version}`,
      ...folderTags,
    ]
    return sourceOf(`repository:${name}@${version}`, { ...place, path: [], tags, directory })
  }

  function sourceOf(name: string, request: Request): LibrarySource {
    const list = async (most: number): Promise<LibraryListing> => {
      // Another process may have removed it for newer ones.
      const isGone = !existsSync(opened.get(name)?.folder ?? '')
      const open = await opened.fetch(name, { context: request, forceRefresh: isGone })
      return listArchive(open as Opened, request, most)
    }
    return { kind: 'library', name, id: name, isOne: false, list }
  }

  async function page(url: string): Promise<LibraryPage | undefined> {
    const address = repositoryAt(url)
    if (address?.view !== 'blob') return undefined
    const path = address.path.join('/')
    const { ref = '', archive } = (await archiveAt(options, address, path)) ?? {}
    const name = path.slice(ref.length + 1)
    const file = archive && formatOfFile(name) && (await fileIn(archive.folder, name))
    if (!archive || !file) return undefined
    const place = `${titleOf(address)} at ${ref}, ${dated(archive)}`
    const read = async () => decodeText(await readFileBytes(file, options.maxBytes)).text
    return { url, kind: 'docs', place, stamp: archive.commit, name, file, read, isManual: false }
  }
}

const dated = ({ commit, fetchedAt }: Pick<Kept, 'commit' | 'fetchedAt'>): string =>
  `commit ${commit.slice(0, 7)}, read ${new Date(fetchedAt).toISOString().slice(0, 10)}`

/** The pages of an archive, with what was taken and what lies outside. */
async function listArchive(
  { folder, ref, below, ...open }: Opened,
  request: Request,
  most: number,
): Promise<LibraryListing> {
  const { place, paths, more } = await pagesOf(folder, below, request.directory, most)
  const title = `${titleOf(request)} at ${shownRef(ref)}`
  if (paths.length === 0 && below !== '')
    throw new DocsError(
      'not_found',
      `${title} has no pages in the folder ${quoteValue(below)}.`,
      'Check the name of the folder on github.com.',
    )
  const all = await listFolder(folder, maxCounted)
  const inside = new Set(paths)
  const outside = all.paths.filter((path) => !inside.has(path)).length
  const via = [
    `${place} of ${title}${open.isDefault ? ', its default branch' : ''}, ${dated(open)}`,
    `pages outside: ${all.more ? 'at least ' : ''}${outside}`,
    ...(open.problem === undefined ? [] : [`kept copy: ${open.problem.replace(/\.$/, '')}`]),
  ]
  const entries = paths.map((file) => {
    const url = fileAddress(request, shownRef(ref), relative(folder, file).replaceAll('\\', '/'))
    return { location: { kind: 'web' as const, url }, stamp: open.commit, file }
  })
  return { via: via.join('; ').replace(/[[\]\n]/g, ' '), entries, more }
}

/** The pages of the requested folder, or those of a folder with documentation and the main ones. */
async function pagesOf(top: string, below: string, directory: string, most: number) {
  const roots = [...new Set([directory, ''])]
  const folders = below ? [below] : roots.flatMap((at) => docsFolders.map((name) => join(at, name)))
  const main: string[] = []
  for (const root of below ? [] : roots)
    for (const name of await readdir(join(top, root)).catch(() => []))
      if (mainPages.test(name) && formatOfFile(name)) main.push(join(top, root, name))
  for (const folder of folders) {
    const docs = await listFolder(join(top, folder), most).catch(() => undefined)
    if (!docs || docs.paths.length === 0) continue
    const paths = [...new Set([...main, ...docs.paths])]
    const place = below ? `${folder}/` : `${folder}/, README and change log`
    return { place, paths: paths.slice(0, most), more: docs.more || paths.length > most }
  }
  return { place: 'README and change log', paths: main, more: false }
}
