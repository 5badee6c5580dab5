import { lstat, readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { decoded } from '#base/decoded'
import { decodeText } from '#fetch/decode-html'
import { listFolder } from '#fetch/file/list-folder'
import { readFileBytes } from '#fetch/file/read-file-bytes'
import { stampAt } from '#fetch/file/stamp-at'
import { formatOfFile } from '#formats/page-format'
import { llmsLinks } from '#formats/readers/markdown'
import {
  type Declarations,
  namesBelow,
  npmDeclarations,
  pythonDeclarations,
} from './declarations.ts'
import type { Library } from './library.ts'
import { fileIn, metadataOf, textAt } from './package-files.ts'

type PageKind = 'README' | 'docs' | 'change log'

/** A page that comes with a library. */
interface ContainedPage {
  kind: PageKind
  /** Relative to the folder of the package. */
  path: string
  file: string
  stamp: string
  read(): Promise<string>
}

/** What a library has: pages, and declarations. */
export interface LibraryContents {
  pages: ContainedPage[]
  /** True if there are more pages. */
  more: boolean
  readmeBytes: number
  declarations: Declarations
}

/** In bytes; larger files are no pages for readers. */
const maxPageBytes = 8 * 2 ** 20
/** Lines of the list of files of a Python distribution. */
const maxRecorded = 50_000
/** Modules of a distribution for which stubs are looked for. */
const maxTops = 20
const readme = /^readme(?:\.\w+)?$/i
const changeLog = /^(?:change[-_]?log|changes|history|release[-_]?notes|news)(?:\.\w+)?$/i
const upgradeGuide = /^(?:upgrad(?:e|ing)|migrat(?:ion|ing))(?:[-_]guide)?(?:\.\w+)?$/i
const docsFolders = ['docs', 'doc', 'dist/docs']

/** Nothing outside of the folder is read, and no link within it is followed to another place. */
export function contentsOf(library: Library, maxPages: number): Promise<LibraryContents> {
  const { folder = '', ecosystem } = library
  return ecosystem === 'npm'
    ? npmContents(library, folder, maxPages)
    : pythonContents(library, folder, maxPages)
}

async function npmContents(
  library: Library,
  folder: string,
  maxPages: number,
): Promise<LibraryContents> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
  const paths = new Map<string, PageKind>()
  const pagesNamed = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name) && formatOfFile(name)).sort(byFormat)
  for (const name of pagesNamed(readme).slice(0, 1)) paths.set(name, 'README')
  for (const name of pagesNamed(upgradeGuide)) paths.set(name, 'docs')
  for (const name of names.filter((file) => /^(?:llms\.txt|AGENTS\.md)$/.test(file)))
    paths.set(name, 'docs')
  for (const path of await linkedPages(folder, names)) if (!paths.has(path)) paths.set(path, 'docs')
  const lists = await Promise.all(docsFolders.map((name) => pagesBelow(folder, name, maxPages)))
  const skills = await pagesBelow(folder, 'skills', maxPages)
  for (const path of lists.flatMap((list) => list.paths))
    if (!paths.has(path)) paths.set(path, 'docs')
  for (const path of skills.paths) if (basename(path) === 'SKILL.md') paths.set(path, 'docs')
  for (const name of pagesNamed(changeLog).slice(0, 1)) paths.set(name, 'change log')
  const more = paths.size > maxPages || [...lists, skills].some((list) => list.more)
  const pages = await containedPages(library, [...paths].slice(0, maxPages))
  const declarations = await npmDeclarations(library, folder)
  return { pages, more, readmeBytes: readmeBytesOf(pages), declarations }
}

/** Markdown before other formats, and `README.md` before `README-ja.md`. */
const byFormat = (a: string, b: string): number =>
  Number(/\.md$/i.test(b)) - Number(/\.md$/i.test(a)) || a.length - b.length

/** Files that the `llms.txt` of a package names by relative links. */
async function linkedPages(folder: string, names: readonly string[]): Promise<string[]> {
  if (!names.includes('llms.txt')) return []
  const text = (await textAt(join(folder, 'llms.txt'), maxPageBytes)) ?? ''
  const base = 'http://package.invalid/'
  const links = llmsLinks(text, base).filter(({ url }) => url.startsWith(base))
  const paths = links.map(({ url }) => decoded(new URL(url).pathname.slice(1)))
  return paths.filter((path) => formatOfFile(path) !== undefined && path !== 'llms.txt')
}

async function pagesBelow(folder: string, name: string, maxPages: number) {
  const parts = name.split('/')
  const places = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)))
  // A link may lead to another place.
  const stats = await Promise.all(places.map((place) => lstat(place).catch(() => undefined)))
  if (!stats.every((each) => each?.isDirectory())) return { paths: [], more: false }
  const { paths, more } = await listFolder(join(folder, name), maxPages)
  return { paths: paths.map((path) => relative(folder, path).replaceAll('\\', '/')), more }
}

async function containedPages(
  { folder = '', version }: Library,
  paths: readonly (readonly [path: string, kind: PageKind])[],
): Promise<ContainedPage[]> {
  const pages = await Promise.all(
    paths.map(async ([path, kind]): Promise<ContainedPage[]> => {
      const file = await fileIn(folder, path)
      if (file === undefined) return []
      const read = async () => decodeText(await readFileBytes(file, maxPageBytes)).text
      const stamp = `${version}:${await stampAt(file)}`
      return [{ kind, path, file, stamp, read }]
    }),
  )
  return pages.flat()
}

const readmeBytesOf = (pages: readonly ContainedPage[]): number =>
  Number(/\d+$/.exec(pages.find(({ kind }) => kind === 'README')?.stamp ?? '0'))

async function pythonContents(
  library: Library,
  folder: string,
  maxPages: number,
): Promise<LibraryContents> {
  const metadata = library.metadata ?? ''
  const files = await pythonFiles(folder, library)
  const documents = files.filter(
    (file) =>
      /\/(?:llms\.txt|AGENTS\.md)$|\/skills\/(?:.+\/)?SKILL\.md$|^[^/]+\/docs?\/.+/.test(file) &&
      !/\.(?:dist|egg)-info\//.test(file) &&
      formatOfFile(file) !== undefined,
  )
  const kinds = documents.map((path) => [path, 'docs'] as const)
  const description = await descriptionPage(folder, metadata)
  const pages = await containedPages(library, kinds.slice(0, maxPages))
  return {
    pages: [...description, ...pages],
    more: documents.length > maxPages,
    readmeBytes: readmeBytesOf(description),
    declarations: pythonDeclarations(library, folder, files),
  }
}

/**
 * The files of a distribution by its record, or else those of the modules that it names; with the stubs
 * that another distribution has for them.
 */
async function pythonFiles(folder: string, { name, metadata = '' }: Library): Promise<string[]> {
  const textOf = async (path: string) => {
    const file = await fileIn(folder, `${metadata}/${path}`)
    return (file && (await textAt(file))) || ''
  }
  const recorded = (await textOf('RECORD')).split('\n', maxRecorded).map((line) =>
    line
      .replace(/^"([^"]*)".*$/, '$1')
      .replace(/,[^,]*,[^,]*$/, '')
      .trim(),
  )
  const files = recorded.filter(
    (file) => file !== '' && !/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(file),
  )
  const stated = (await textOf('top_level.txt')).split('\n').filter((each) => /^\w+$/.test(each))
  const guessed =
    stated.length > 0 ? stated : [name.replaceAll('-', '_'), name.replace(/^py-?/, '')]
  const tops = files.length > 0 ? topsOf(files) : guessed
  const below = async (top: string) =>
    (await namesBelow(join(folder, top))).map((path) => `${top}/${path}`.replaceAll('\\', '/'))
  const found = files.length > 0 ? [] : (await Promise.all(tops.map(below))).flat()
  const alone = files.length > 0 ? [] : tops.map((top) => `${top}.py`)
  const stubs = (await Promise.all(tops.map((top) => below(`${top}-stubs`)))).flat()
  return [...files, ...found, ...alone, ...stubs.filter((file) => file.endsWith('.pyi'))]
}

const topsOf = (files: readonly string[]): string[] => {
  const tops = files.map((file) => /^(\w+)(?:\/|\.pyi?$)/.exec(file)?.[1] ?? '')
  return [...new Set(tops)].filter((top) => top !== '').slice(0, maxTops)
}

/** The README of a distribution is the text of its metadata. */
async function descriptionPage(folder: string, metadata: string): Promise<ContainedPage[]> {
  const file = await metadataOf(folder, metadata)
  const text = file && (await textAt(file, maxPageBytes))?.replaceAll('\r\n', '\n')
  if (!file || !text) return []
  const [head = ''] = text.split('\n\n', 1)
  const [, inHead = ''] = /^Description: (.*(?:\n[ \t|].*)*)/m.exec(head) ?? []
  const body = text.slice(head.length).trim() || inHead.replace(/^(?: {8}| {7}\|)/gm, '')
  if (body.trim() === '' || body.trim() === 'UNKNOWN') return []
  const isMarkdown = /^Description-Content-Type: *text\/markdown/im.test(head)
  const path = isMarkdown ? 'README.md' : 'README.rst'
  const stamp = `${(await stampAt(file)).split(':')[0]}:${Buffer.byteLength(body)}`
  return [{ kind: 'README', path, file, stamp, read: async () => body }]
}
