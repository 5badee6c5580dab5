import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { LRUCache } from 'lru-cache'
import { unpack } from '../archive/unpack.ts'
import { decodeText } from '../fetch/decode-html.ts'
import { failedMs } from '../fetch/robots.ts'
import { readFileBytes } from '../file/read-file-bytes.ts'
import { formatOfFile } from '../formats/page-format.ts'
import type { PackageRepository } from '../libraries/declared-repository.ts'
import { fileIn } from '../libraries/package-files.ts'
import type { PageStore } from '../page/cache/page-store.ts'
import type { LibraryPage, LibraryPages } from '../page/library-page.ts'
import { type DocsSource, fileKey } from '../page-listing/docs-source.ts'
import { listedMs, listFolder } from '../page-listing/list-files.ts'
import type { Listing } from '../page-listing/listing.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import { createGitHub, type GitHubOptions, type Head, titleOf } from './github.ts'
import {
  fileAddress,
  type Repository,
  repositoryAt,
  repositoryNamed,
} from './repository-address.ts'

export interface RepositoriesOptions extends GitHubOptions {
  store: Pick<PageStore, 'note' | 'setNote'>
  /** Folder in which archives are unpacked. */
  archives: string
  /** Of a page. */
  maxBytes: number
}

export interface Repositories extends LibraryPages {
  /** The source at the address of a repository or a folder of it; undefined for other addresses. */
  sourceAt(url: string): DocsSource | undefined
  /** The repository of a package at the tag of its version. @throws {DocsError} */
  repositoryDocs(declared: PackageRepository): DocsSource
}

interface Request extends Repository {
  /** A ref and a folder below it, not told apart; or tags, of which the first that exists is read. */
  path: readonly string[]
  tags: readonly string[]
  directory: string
}

interface Kept extends Head {
  folder: string
  fetchedAt: number
}

type Opened = Kept & { ref: string; below: string; isDefault: boolean; problem?: string }

/** Folders with documentation, the usual ones first, and pages next to them. */
const docsFolders = ['docs', 'documentation', 'doc', 'website/docs', 'site']
const mainPages = /^(?:readme|change-?log|changes|history|news)(?:\.|$)/i
/** A ref has at most so many parts; archives that are kept; bytes and pages of one. */
const maxRefParts = 6
const maxKept = 20
const maxUnpacked = 2 * 2 ** 30
const maxCounted = 20_000
/** Failures after which a kept copy is served. */
const passing = new Set(['offline', 'timeout', 'unreachable'])

/** Repositories as sources, read through their archives, and the pages of those that are kept. */
export function createRepositories(options: RepositoriesOptions): Repositories {
  const github = createGitHub(options)
  const { store, archives, maxBytes } = options
  const opened = new LRUCache<string, Opened, Request>({
    max: 50,
    ttl: listedMs,
    fetchMethod: async (_key, _stale, { context, options: entry }) => {
      const open = await current(context)
      if (open.problem !== undefined) entry.ttl = failedMs
      return open
    },
  })
  return { sourceAt, repositoryDocs, page }

  function sourceAt(url: string): DocsSource | undefined {
    const place = repositoryAt(url)
    if (!place || place.view === 'blob') return undefined
    return sourceOf(url, { ...place, tags: [], directory: '' })
  }

  function repositoryDocs({ repository, directory, name, version }: PackageRepository): DocsSource {
    const place = repositoryNamed(repository)
    if (!place || version === '')
      throw new DocsError(
        'not_found',
        `The manifest of ${quoteValue(name)} names no ${place ? 'version' : 'repository on GitHub'}.`,
        'Pass the URL of its documentation.',
      )
    const own = directory ? [`${directory}/v${version}`] : []
    const tags = [`${name}@${version}`, `v${version}`, version, `${name}-v${version}`, ...own]
    return sourceOf(`repository:${name}@${version}`, { ...place, path: [], tags, directory })
  }

  function sourceOf(name: string, request: Request): DocsSource {
    const urls = ['https://github.com', options.api, 'https://codeload.github.com']
    const list = (maxPages: number) => listRepository(name, request, maxPages)
    return { kind: 'library', name, id: name, isOne: false, urls, list }
  }

  async function current(request: Request): Promise<Opened> {
    const key = keyOf(request)
    const note = (await store.note(key)) ?? {}
    const { path, tags } = request
    const refs = [
      ...tags.map((tag) => ({ ref: `tags/${tag}`, below: '' })),
      ...path.slice(0, maxRefParts).map((_, at) => ({
        ref: path.slice(0, at + 1).join('/'),
        below: path.slice(at + 1).join('/'),
      })),
    ]
    const isDefault = refs.length === 0
    try {
      if (isDefault) refs.push({ ref: await github.defaultBranch(request), below: '' })
      for (const { ref, below } of refs) {
        const kept = await keptIn(note, ref)
        const head = await github.commitOf(request, ref, kept)
        if (!head) continue
        const isSame = head.commit === kept?.commit
        const archive = isSame && kept ? kept : await fetchArchive(request, ref, head.commit)
        const saved: Kept = { ...archive, ...head }
        const branch = isDefault && { '': ref }
        await store.setNote(key, { ...note, ...branch, [ref]: JSON.stringify(saved) })
        return { ...saved, ref, below, isDefault }
      }
      const names = refs.map(({ ref }) => shownRef(ref))
      throw await github.noRef(request, names)
    } catch (error) {
      if (!(error instanceof DocsError) || !passing.has(error.code)) throw error
      if (isDefault && refs.length === 0) refs.push({ ref: note[''] ?? '', below: '' })
      for (const choice of refs) {
        const kept = await keptIn(note, choice.ref)
        if (kept) return { ...kept, ...choice, isDefault, problem: error.message }
      }
      throw error
    }
  }

  async function fetchArchive(repository: Repository, ref: string, commit: string) {
    const place = join(archives, 'github', fileKey(`${titleOf(repository)}@${ref}`))
    await mkdir(place, { recursive: true })
    const file = `${place}-${process.pid}.tar.gz`
    await writeFile(file, await github.archiveOf(repository, commit))
    const unpacked = await unpack(file, place, maxUnpacked)
      .catch((error: unknown) => {
        if (!(error instanceof DocsError)) throw error
        const { code, message } = error
        const text = `The archive of ${titleOf(repository)} ${message.replace(/^".*?" /, '')}`
        throw new DocsError(code, text, 'Clone the repository, and pass its folder as a source.')
      })
      .finally(() => rm(file, { force: true }))
    await removeOldest(join(archives, 'github'))
    const [top = '', ...others] = await readdir(unpacked)
    const folder = await realpath(others.length === 0 ? join(unpacked, top) : unpacked)
    return { folder, fetchedAt: Date.now() }
  }

  async function listRepository(name: string, request: Request, most: number): Promise<Listing> {
    const { folder, ref, below, ...open } = (await opened.fetch(name, {
      context: request,
    })) as Opened
    const { place, paths, more } = await pagesOf(folder, below, request.directory, most)
    const title = `${titleOf(request)} at ${shownRef(ref)}`
    if (paths.length === 0 && below !== '')
      throw new DocsError(
        'not_found',
        `${title} has no pages in the folder ${quoteValue(below)}.`,
        `Pass https://github.com/${titleOf(request)}/tree/${shownRef(ref)} without a folder.`,
      )
    const all = await listFolder(folder, maxCounted)
    const outside = all.paths.length - all.paths.filter((path) => paths.includes(path)).length
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

  async function page(url: string): Promise<LibraryPage | undefined> {
    const address = repositoryAt(url)
    if (address?.view !== 'blob') return undefined
    const path = address.path.join('/')
    const note = (await store.note(keyOf(address))) ?? {}
    for (const ref of Object.keys(note).filter((key) => path.startsWith(`${shownRef(key)}/`))) {
      const kept = await keptIn(note, ref)
      const name = path.slice(shownRef(ref).length + 1)
      const file = kept && formatOfFile(name) && (await fileIn(kept.folder, name))
      if (!kept || !file) continue
      const place = `${titleOf(address)} at ${shownRef(ref)}, ${dated(kept)}`
      const read = async () => decodeText(await readFileBytes(file, maxBytes)).text
      return { url, kind: 'docs', place, stamp: kept.commit, name, file, read, isManual: false }
    }
    return undefined
  }
}

const keyOf = (repository: Repository): string => `repository ${titleOf(repository)}`.toLowerCase()

/** As addresses on github.com have it. */
const shownRef = (ref: string): string => ref.replace(/^tags\//, '')

const dated = ({ commit, fetchedAt }: Pick<Kept, 'commit' | 'fetchedAt'>): string =>
  `commit ${commit.slice(0, 7)}, read ${new Date(fetchedAt).toISOString().slice(0, 10)}`

async function keptIn(note: Record<string, string>, ref: string): Promise<Kept | undefined> {
  const kept = ref && note[ref] ? (JSON.parse(note[ref]) as Kept) : undefined
  const stats = kept && (await stat(kept.folder).catch(() => undefined))
  return stats && kept
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
    const { paths, more } = await listFolder(join(top, folder), most).catch(() => ({
      paths: [],
      more: false,
    }))
    if (paths.length === 0) continue
    const place = below ? `${folder}/` : `${folder}/, README and change log`
    return { place, paths: [...new Set([...main, ...paths])].slice(0, most), more }
  }
  return { place: 'README and change log', paths: main.slice(0, most), more: false }
}

async function removeOldest(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs))
  const oldest = paths
    .map((path, at) => ({ path, time: times[at] ?? 0 }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of oldest.slice(maxKept)) await rm(path, { recursive: true, force: true })
}
