import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpack } from '../archive/unpack.ts'
import type { PageStore } from '../page/cache/page-store.ts'
import { fileKey } from '../page-listing/docs-source.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { archiveOf, defaultBranch, type GitHub, type Head, headOf, noRef } from './github.ts'
import { type Repository, titleOf } from './repository-address.ts'

export interface ArchivesOptions extends Omit<GitHub, 'limitedUntil'> {
  /** Notes which archives are kept. */
  store: Pick<PageStore, 'note' | 'setNote'>
  /** Folder in which archives are unpacked. */
  archives: string
}

/** What of a repository is requested; its default branch without a path and tags. */
export interface Request extends Repository {
  /** A ref and a folder below it, not told apart. */
  path: readonly string[]
  /** The first that exists is read. */
  tags: readonly string[]
  /** The folder of a package. */
  directory: string
}

/** An archive that is unpacked in a folder. */
export interface Kept extends Head {
  folder: string
  fetchedAt: number
}

/** The kept archive of a ref, and the requested folder; `problem`: why it was not revalidated. */
export type Opened = Kept & { ref: string; below: string; isDefault: boolean; problem?: string }

/** A ref has at most so many parts; so many archives are kept; bytes of one. */
const maxRefParts = 6
const maxKept = 20
const maxUnpacked = 2 * 2 ** 30
/** Failures after which a kept copy is served. */
const passing = new Set(['offline', 'timeout', 'unreachable'])

/** Revalidates the archive of the first requested ref that exists, or fetches it. */
export async function openArchive(
  github: GitHub,
  { store, archives }: ArchivesOptions,
  request: Request,
): Promise<Opened> {
  const note = await notesOf(store, request)
  const refs = refsOf(request)
  const isDefault = refs.length === 0
  try {
    if (isDefault) refs.push({ ref: await defaultBranch(github, request), below: '' })
    for (const { ref, below } of refs) {
      const earlier = await keptIn(note, ref)
      const head = await headOf(github, request, ref, earlier)
      if (!head) continue
      const isSame = head.commit === earlier?.commit
      const archive = isSame ? earlier : await fetchArchive(github, archives, request, ref, head)
      const saved: Kept = { ...archive, ...head }
      const branch = isDefault && { default: ref }
      const latest = await notesOf(store, request)
      const all = { ...latest, ...branch, [`at ${ref}`]: JSON.stringify(saved) }
      await store.setNote(keyOf(request), all)
      return { ...saved, ref, below, isDefault }
    }
    const names = refs.map(({ ref }) => shownRef(ref))
    throw await noRef(github, request, names)
  } catch (error) {
    if (!(error instanceof DocsError) || !passing.has(error.code)) throw error
    const choices = isDefault ? [{ ref: note['default'] ?? '', below: '' }] : refs
    for (const choice of choices) {
      const archive = await keptIn(note, choice.ref)
      if (archive) return { ...archive, ...choice, isDefault, problem: error.message }
    }
    throw error
  }
}

/** The file that a kept archive has at a path which begins with its ref. */
export async function keptFile(
  { store }: Pick<ArchivesOptions, 'store'>,
  repository: Repository,
  path: string,
): Promise<{ ref: string; name: string; archive: Kept } | undefined> {
  const note = await notesOf(store, repository)
  for (const key of Object.keys(note)) {
    const ref = key.replace(/^at /, '')
    const start = `${shownRef(ref)}/`
    const archive = path.startsWith(start) ? await keptIn(note, ref) : undefined
    const name = path.slice(start.length)
    if (archive && (await stat(join(archive.folder, name)).catch(() => undefined)))
      return { ref, name, archive }
  }
  return undefined
}

/** As addresses on github.com have it. */
export const shownRef = (ref: string): string => ref.replace(/^tags\//, '')

const refsOf = ({ path, tags }: Request): { ref: string; below: string }[] => [
  ...tags.map((tag) => ({ ref: `tags/${tag}`, below: '' })),
  ...path.slice(0, maxRefParts).map((_, at) => ({
    ref: path.slice(0, at + 1).join('/'),
    below: path.slice(at + 1).join('/'),
  })),
]

const keyOf = (repository: Repository): string => `repository ${titleOf(repository)}`.toLowerCase()

const notesOf = async (
  store: ArchivesOptions['store'],
  repository: Repository,
): Promise<Record<string, string>> => (await store.note(keyOf(repository))) ?? {}

async function keptIn(note: Record<string, string>, ref: string): Promise<Kept | undefined> {
  const text = note[`at ${ref}`]
  const archive = text === undefined ? undefined : (JSON.parse(text) as Kept)
  return archive && (await stat(archive.folder).catch(() => undefined)) && archive
}

async function fetchArchive(
  github: GitHub,
  archives: string,
  repository: Repository,
  ref: string,
  { commit }: Head,
): Promise<Pick<Kept, 'folder' | 'fetchedAt'>> {
  const bytes = await archiveOf(github, repository, commit)
  const place = join(archives, 'github', fileKey(`${titleOf(repository)}@${ref}`))
  const file = `${place}-${process.pid}.tar.gz`
  await mkdir(place, { recursive: true })
  await writeFile(file, bytes)
  const unpacked = await unpack(file, place, maxUnpacked)
    .catch((error: unknown) => {
      if (!(error instanceof DocsError)) throw error
      const problem = error.message.replace(/^".*?" /, '')
      const text = `The archive of ${titleOf(repository)} ${problem}`
      throw new DocsError(error.code, text, 'Clone the repository, and pass its folder as source.')
    })
    .finally(() => rm(file, { force: true }))
  await removeOldest(join(archives, 'github'))
  const [top = '', ...further] = await readdir(unpacked)
  const folder = await realpath(further.length === 0 ? join(unpacked, top) : unpacked)
  return { folder, fetchedAt: Date.now() }
}

async function removeOldest(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  const times = await Promise.all(
    paths.map(async (path) => ({ path, time: (await stat(path)).mtimeMs })),
  )
  for (const { path } of times.sort((a, b) => b.time - a.time).slice(maxKept))
    await rm(path, { recursive: true, force: true })
}
