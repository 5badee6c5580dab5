import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpack } from '#fetch/archive/unpack'
import { fileKey } from '#fetch/file/file-key'
import { DocsError } from '#formats/docs-error'
import {
  archiveError,
  archiveOf,
  defaultBranch,
  type GitHub,
  type Head,
  headOf,
  noRef,
} from './github.ts'
import { inPath, type Repository, titleOf } from './repository-address.ts'

interface Notes {
  note(key: string): Promise<Record<string, string> | undefined>
  setNote(key: string, note: Record<string, string>): Promise<void>
}

export interface ArchivesOptions extends Omit<GitHub, 'limitedUntil'> {
  /** Notes which archives are kept. */
  store: Notes
  /** Folder in which archives are unpacked. */
  archives: string
}

type Opener = GitHub & ArchivesOptions

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
export async function openArchive(github: Opener, request: Request): Promise<Opened> {
  const { store } = github
  const title = titleOf(request)
  const note = await notesOf(store, request)
  const refs = refsOf(request)
  const isDefault = refs.length === 0
  try {
    if (isDefault) refs.push({ ref: await defaultBranch(github, title), below: '' })
    for (const { ref, below } of refs) {
      const earlier = await keptIn(note, ref)
      const head = await headOf(github, `${title}/commits/${inPath(ref)}`, earlier)
      if (!head) continue
      const isSame = head.commit === earlier?.commit
      const archive = isSame ? earlier : await fetchArchive(github, title, ref, head.commit)
      const saved: Kept = { ...archive, ...head }
      const notes = { ...(isDefault && { default: ref }), [`at ${ref}`]: JSON.stringify(saved) }
      await store.setNote(keyOf(request), { ...(await notesOf(store, request)), ...notes })
      return { ...saved, ref, below, isDefault }
    }
    const names = refs.map(({ ref }) => shownRef(ref))
    throw await noRef(github, title, names)
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

/** The kept archive whose ref a path begins with. */
export async function archiveAt(
  { store }: ArchivesOptions,
  repository: Repository,
  path: string,
): Promise<{ ref: string; archive: Kept } | undefined> {
  const note = await notesOf(store, repository)
  for (const key of Object.keys(note)) {
    const ref = key.replace(/^at /, '')
    const archive = path.startsWith(`${shownRef(ref)}/`) ? await keptIn(note, ref) : undefined
    if (archive) return { ref: shownRef(ref), archive }
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

const notesOf = async (store: ArchivesOptions['store'], repository: Repository) =>
  (await store.note(keyOf(repository))) ?? {}

async function keptIn(note: Record<string, string>, ref: string): Promise<Kept | undefined> {
  const text = note[`at ${ref}`]
  const archive = text === undefined ? undefined : (JSON.parse(text) as Kept)
  return archive && (await stat(archive.folder).catch(() => undefined)) && archive
}

async function fetchArchive(github: Opener, title: string, ref: string, commit: string) {
  const archives = join(github.archives, 'github')
  const place = join(archives, fileKey(`${title}@${ref}`))
  const file = `${place}-${process.pid}.tar.gz`
  const bytes = await archiveOf(github, title, commit)
  await mkdir(place, { recursive: true })
  await writeFile(file, bytes)
  const unpacked = await unpack(file, place, maxUnpacked)
    .catch((error: Error) => {
      const code = error instanceof DocsError ? error.code : 'unsupported_type'
      throw archiveError(code, title, error.message.replace(/^".*?" /, ''))
    })
    .finally(() => rm(file, { force: true }))
  await removeOldest(archives)
  const [top = '', ...further] = await readdir(unpacked)
  const folder = await realpath(further.length === 0 ? join(unpacked, top) : unpacked)
  return { folder, fetchedAt: Date.now() }
}

async function removeOldest(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name))
  const aged = paths.map(async (path) => ({ path, time: (await stat(path)).mtimeMs }))
  const newest = (await Promise.all(aged)).sort((a, b) => b.time - a.time)
  for (const { path } of newest.slice(maxKept)) await rm(path, { recursive: true, force: true })
}
