import { dirname, join, relative } from 'node:path'
import { isTable, type Table } from '#base/table'
import { tableIn, textAt, textIn } from './package-files.ts'

/** The versions that a lockfile plans. */
export interface Plan {
  lockfile: string
  /** Those of the direct dependencies of the asking package. */
  direct: Map<string, string>
  /** All versions of each name. */
  all: Map<string, Set<string>>
  /** Folders below that of the lockfile in which a name is installed, if it says so. */
  folders: Map<string, string[]>
}

type Versions = Pick<Plan, 'direct' | 'all'> & Partial<Pick<Plan, 'folders'>>

interface Asking {
  /** The folder of the asking package relative to that of the lockfile, with `/`; empty for its own. */
  importer: string
  /** The ranges in its manifest. */
  ranges: ReadonlyMap<string, string>
}

interface Lockfile {
  at: string
  name: string
  read: (asking: Asking) => Versions
}

/** A text is read once for all packages of a workspace. */
const readers: readonly [name: string, read: (text: string) => Lockfile['read']][] = [
  ['pnpm-lock.yaml', readPnpm],
  ['package-lock.json', readNpm],
  ['npm-shrinkwrap.json', readNpm],
  ['yarn.lock', readYarn],
  ['bun.lock', readBun],
]
export const lockfileNames: readonly string[] = readers.map(([file]) => file)

/** The nearest lockfile above a folder, up to that of the repository. */
export async function findLockfile(folder: string): Promise<Lockfile | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    for (const [name, read] of readers) {
      const text = await textAt(join(at, name))
      if (text !== undefined) return { at, name, read: read(text) }
    }
    if (at === dirname(at) || (await textAt(join(at, '.git/HEAD'))) !== undefined) return undefined
  }
}

/** What a lockfile plans for the package in a folder. */
export function planOf(
  { at, name, read }: Lockfile,
  folder: string,
  ranges: ReadonlyMap<string, string>,
): Plan & { at: string } {
  const importer = relative(at, folder).replaceAll('\\', '/')
  return { folders: new Map(), ...read({ importer, ranges }), lockfile: name, at }
}

export function addVersion(all: Plan['all'], name: string, version: string): void {
  const versions = all.get(name)
  if (versions) versions.add(version)
  else all.set(name, new Set([version]))
}

const nameAndVersion = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/]([^(_:]+)/
/** A longer line, in characters, has no version. */
const maxLine = 2_000
const yamlLine = /^( *)(?:'([^']+)'|"([^"]+)"|([^\s'"#-][^:]*))\s*:(?:\s+(.*))?$/

/** Read by its indentation, of all versions since 5: pnpm writes them alike. */
function readPnpm(text: string): Lockfile['read'] {
  const importers = new Map<string, Map<string, string>>()
  const all: Plan['all'] = new Map()
  const keys: string[] = []
  for (const line of text.split('\n')) {
    const [, indent, single, double, unquoted, value = ''] =
      line.length > maxLine ? [] : (yamlLine.exec(line) ?? [])
    if (indent === undefined) continue
    const depth = Math.floor(indent.length / 2)
    keys.length = Math.min(keys.length, depth)
    keys[depth] = [single, double, unquoted].find(Boolean) ?? ''
    if (keys[0] === 'packages' && depth === 1) {
      const [, name, version] = nameAndVersion.exec(keys[1] ?? '') ?? []
      if (name && version) addVersion(all, name, version)
    }
    const { importer, name } = dependencyAt(keys)
    const [, version] = /^['"]?(\d[^('"_\s]*)/.exec(value) ?? []
    if (name === undefined || version === undefined) continue
    const direct = importers.get(importer) ?? new Map<string, string>()
    importers.set(importer, direct.set(name, version))
  }
  return ({ importer }) => ({ direct: importers.get(importer || '.') ?? new Map(), all })
}

/** The name whose version is at a path of keys, and the package that asks for it. */
function dependencyAt(keys: readonly string[]): { importer: string; name?: string | undefined } {
  const [importer = '', group = '', name, field = 'version'] =
    keys[0] === 'importers' ? keys.slice(1) : ['.', ...keys]
  const isVersion = /^(?:d|\w+D)ependencies$/.test(group) && field === 'version'
  return { importer, name: isVersion ? name : undefined }
}

/** Objects in objects of a lockfile of version 1. */
const maxDepth = 50

function readNpm(text: string): Lockfile['read'] {
  const all: Plan['all'] = new Map()
  const folders: Plan['folders'] = new Map()
  const paths = new Map<string, string>()
  const enter = (path: string, entry: unknown) => {
    const [, last] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    const version = isTable(entry) ? textIn(entry, 'version') : undefined
    if (!last || !version) return
    paths.set(path, version)
    addVersion(all, last, version)
    folders.set(last, [...(folders.get(last) ?? []), path])
  }
  const enterTree = (value: unknown, prefix: string, depth: number): void => {
    if (!isTable(value) || depth > maxDepth) return
    for (const [name, entry] of Object.entries(value)) {
      const path = `${prefix}node_modules/${name}`
      enter(path, entry)
      if (isTable(entry)) enterTree(entry['dependencies'], `${path}/`, depth + 1)
    }
  }
  const lock: Table = tableIn(text) ?? {}
  if (isTable(lock['packages']))
    for (const [path, entry] of Object.entries(lock['packages'])) enter(path, entry)
  else enterTree(lock['dependencies'], '', 0)
  return ({ importer, ranges }) => ({ direct: directOf(paths, importer, ranges), all, folders })
}

/** As Node resolves names: from the folder of the asking package upwards. */
function directOf(
  paths: ReadonlyMap<string, string>,
  importer: string,
  ranges: Asking['ranges'],
): Plan['direct'] {
  const direct = new Map<string, string>()
  for (const name of ranges.keys())
    for (let at = importer; ; at = at.replace(/\/?[^/]*$/, '')) {
      const version = paths.get(`${at === '' ? '' : `${at}/`}node_modules/${name}`)
      if (version !== undefined) direct.set(name, version)
      if (version !== undefined || at === '') break
    }
  return direct
}

/** In characters: a line with all ranges of a package. */
const maxDescriptors = 100_000

/** Classic and later ones. */
function readYarn(text: string): Lockfile['read'] {
  const all: Plan['all'] = new Map()
  const versions = new Map<string, string>()
  let descriptors: string[] = []
  for (const line of text.split('\n')) {
    if (line.length > maxDescriptors) continue
    if (/^[^\s#].*:$/.test(line)) descriptors = line.slice(0, -1).replaceAll('"', '').split(/,\s*/)
    const [, version] = /^ {2}version:? "?([^"\s]+)"?$/.exec(line) ?? []
    if (version === undefined || version === '0.0.0-use.local') continue
    for (const descriptor of descriptors) {
      const [, name, range = ''] = /^((?:@[^/@]+\/)?[^/@]+)@(?:npm:)?(.+)$/.exec(descriptor) ?? []
      if (!name) continue
      addVersion(all, name, version)
      versions.set(`${name}@${range}`, version)
    }
  }
  return ({ ranges }) => {
    const direct = new Map<string, string>()
    for (const [name, range] of ranges) {
      const version = versions.get(`${name}@${range.replace(/^npm:/, '')}`)
      if (version !== undefined) direct.set(name, version)
    }
    return { direct, all }
  }
}

/** A line of `bun.lock` for each package: `"zod": ["zod@4.1.0", …`. */
const bunLine = /^[ \t]*"([^"]+)": \["((?:@[^/@"]+\/)?[^/@"]+)@(\d[^"]*)"/gm

function readBun(text: string): Lockfile['read'] {
  const direct = new Map<string, string>()
  const all: Plan['all'] = new Map()
  for (const [, place = '', name = '', version = ''] of text.matchAll(bunLine)) {
    addVersion(all, name, version)
    direct.set(place, version)
  }
  return () => ({ direct, all })
}
