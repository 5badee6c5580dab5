import { readdir, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { attempt } from '#base/attempt'
import { isInside } from '#base/inside-folder'
import { isTable, type Table } from '#base/table'
import { stampAt } from '#fetch/file/stamp-at'
import type { Library, LibraryGroup, LibraryProject } from './library.ts'
import { findLockfile, lockfileNames, type Plan, planOf } from './lockfiles.ts'
import {
  fileIn,
  maxManifestBytes,
  stringsIn,
  tableAt,
  tableIn,
  textAt,
  textIn,
} from './package-files.ts'

const groups = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
] as const satisfies readonly LibraryGroup[]

/** Names that npm allows or once allowed, and no paths. */
const packageName = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/
/** Dependencies of a manifest and packages of a workspace beyond so many are not listed. */
const maxNames = 5_000
const maxWorkspace = 500
/** Installed versions of one name. */
const maxVersions = 20

interface Importer {
  folder: string
  /** Of the project or its workspace. */
  root: string
  dependencies: [name: string, group: LibraryGroup][]
  plan: (Plan & { at: string }) | undefined
  /** Why packages that are not in a folder are not read. */
  absence?: string | undefined
}

const archived = 'in an archive of Plug’n’Play, which is not read'
const linked = 'a link to a folder outside the project, which is not read'
const unreadable = 'its package.json has over 1 MB, or is not a JSON object'
/** Folders of packages in folders of packages. */
const maxNested = 3

/** The npm packages of the project in a folder; undefined without a `package.json`. */
export async function openNpmProject(folder: string): Promise<LibraryProject | undefined> {
  const manifest = await tableAt(join(folder, 'package.json'), maxManifestBytes)
  if (!manifest) return undefined
  const workspace = await workspaceOf(folder)
  const { root } = workspace
  const isRoot = root === folder
  const members = workspace.folders.filter((member) => member !== folder)
  const lockfile = await findLockfile(folder)
  const hasArchives = (await stampAt(join(workspace.root, '.pnp.cjs'))) !== 'gone'
  const absence = hasArchives ? archived : undefined
  const importers = [{ ...importerAt({ folder, root }, manifest, lockfile), absence }]
  for (const member of isRoot ? members : []) {
    const table = await tableAt(join(member, 'package.json'), maxManifestBytes)
    importers.push({ ...importerAt({ folder: member, root }, table ?? {}, lockfile), absence })
  }
  const modules = join(workspace.root, 'node_modules')
  let nestedModules: Promise<string[]> | undefined

  return {
    watched: [
      ...[folder, workspace.root].flatMap((at) =>
        ['package.json', 'node_modules', ...lockfileNames].map((name) => join(at, name)),
      ),
      ...['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'].map((name) =>
        join(modules, name),
      ),
    ],
    async list() {
      const lists = await Promise.all(
        importers.map(({ dependencies, ...importer }) =>
          Promise.all(dependencies.map(([name, group]) => resolved(name, group, importer))),
        ),
      )
      const workspacePackages = await Promise.all(
        members.map((member) => packageAt(member, root, 'workspace')),
      )
      return distinct(
        [...(lists[0] ?? []), ...workspacePackages, ...lists.slice(1).flat()].flatMap(
          (library) => library ?? [],
        ),
      )
    },
    async versionsOf(name) {
      if (!packageName.test(name)) return []
      const places = importers.map((importer) => resolved(name, 'transitive', importer))
      const nested = (await nestedFolders(name)).map((path) => packageAt(path, root, 'transitive'))
      return distinct(
        (await Promise.all([...places, ...nested])).flatMap((library) => library ?? []),
      )
    },
    async names(most) {
      const top = [modules, join(folder, 'node_modules'), join(modules, '.pnpm/node_modules')]
      return [...new Set((await Promise.all(top.map(namesIn))).flat())].slice(0, most)
    },
  }

  /** Other places where versions of a name are installed. */
  async function nestedFolders(name: string): Promise<string[]> {
    const prefix = `${name.replace('/', '+')}@`
    const store = await readdir(join(modules, '.pnpm')).catch(() => [])
    const inStore = store
      .filter((entry) => entry.startsWith(prefix))
      .map((entry) => join(modules, '.pnpm', entry, 'node_modules', name))
    const [{ plan } = { plan: undefined }] = importers
    const locked = (plan?.folders.get(name) ?? []).map((path) => join(plan?.at ?? '', path))
    const isTold = store.length > 0 || (plan?.folders.size ?? 0) > 0
    if (!isTold) nestedModules ??= modulesBelow(modules)
    const inModules = ((await nestedModules) ?? []).map((place) => join(place, name))
    return [...inStore, ...locked, ...(await existing(inModules))].slice(0, maxVersions)
  }
}

const existing = async (paths: readonly string[]): Promise<string[]> =>
  (
    await Promise.all(paths.map(async (path) => ((await stampAt(path)) === 'gone' ? [] : [path])))
  ).flat()

/** The `node_modules` of packages in a `node_modules`, which not every lockfile tells. */
async function modulesBelow(modules: string): Promise<string[]> {
  const all: string[] = []
  let places = [modules]
  for (let depth = 0; depth < maxNested && places.length > 0; depth++) {
    const below = places.map(async (place) => {
      const names = (await namesIn(place)).slice(0, maxNames)
      return existing(names.map((name) => join(place, name, 'node_modules')))
    })
    places = (await Promise.all(below)).flat().slice(0, maxNames)
    all.push(...places)
  }
  return all
}

/** A folder in which Node resolves the package, or what the lockfile plans. */
async function resolved(
  name: string,
  group: LibraryGroup,
  { folder, root, plan, absence }: Omit<Importer, 'dependencies'>,
): Promise<Library | undefined> {
  const versions = [...(plan?.all.get(name) ?? [])]
  const direct = plan?.direct.get(name) ?? (versions.length === 1 ? versions[0] : undefined)
  const lockfile = plan?.lockfile ?? ''
  for (let at = folder; ; at = dirname(at)) {
    const library = await packageAt(join(at, 'node_modules', name), root, group, name)
    if (library) {
      const differs = direct !== undefined && direct !== library.version && !library.aliasOf
      return { ...library, ...(differs && { planned: { version: direct, lockfile } }) }
    }
    if (at === dirname(at)) break
  }
  const version = direct ?? versions[0]
  if (version !== undefined)
    return { ecosystem: 'npm', name, version, group, planned: { version, lockfile }, absence }
  return group === 'transitive'
    ? undefined
    : { ecosystem: 'npm', name, version: '', group, absence }
}

/**
 * The package in a folder, which may be a link: that of the package itself is followed to a package
 * of the workspace, or to one that is installed. Other folders are projects of their own.
 */
async function packageAt(
  path: string,
  root: string,
  group: LibraryGroup,
  alias?: string,
): Promise<Library | undefined> {
  const folder = await realpath(path).catch(() => undefined)
  if (folder === undefined) return undefined
  const isOurs =
    folder === path ||
    isInside(folder, await realpath(root).catch(() => root)) ||
    isInstalled(folder)
  if (!isOurs) return alias ? { ...noLibrary, name: alias, group, absence: linked } : undefined
  const file = await fileIn(folder, 'package.json')
  if (file === undefined) return undefined
  const manifest = tableIn((await textAt(file, maxManifestBytes)) ?? '')
  const title = textIn(manifest, 'name') ?? ''
  const name = alias ?? title
  if (!packageName.test(name)) return undefined
  const library = { ...noLibrary, name, group }
  if (!manifest) return { ...library, absence: unreadable }
  const version = textIn(manifest, 'version') ?? ''
  return {
    ...library,
    version: /^[\w.+-]{1,100}$/.test(version) ? version : '',
    ...(packageName.test(title) && title !== name && { aliasOf: title }),
    folder,
  }
}

const noLibrary = { ecosystem: 'npm', version: '' } as const
const isInstalled = (folder: string): boolean => folder.split(sep).includes('node_modules')
function importerAt(
  { folder, root }: Pick<Importer, 'folder' | 'root'>,
  manifest: Table,
  lockfile: Awaited<ReturnType<typeof findLockfile>>,
): Importer {
  const ranges = new Map<string, string>()
  const dependencies: Importer['dependencies'] = []
  for (const group of groups)
    for (const [name, range] of stringsIn(manifest[group])) {
      if (ranges.has(name) || !packageName.test(name) || dependencies.length >= maxNames) continue
      ranges.set(name, range)
      dependencies.push([name, group])
    }
  return { folder, root, dependencies, plan: lockfile && planOf(lockfile, folder, ranges) }
}

/** One of each name and version. */
function distinct(libraries: readonly Library[]): Library[] {
  const all = new Map<string, Library>()
  for (const library of libraries) {
    const key = `${library.name}@${library.version}`
    const previous = all.get(key)
    if (!previous || (library.folder && !previous.folder)) all.set(key, library)
  }
  return [...all.values()]
}

async function namesIn(modules: string): Promise<string[]> {
  const entries = (await readdir(modules).catch(() => [])).filter((name) => !name.startsWith('.'))
  const lists = entries.map(async (name) =>
    name.startsWith('@')
      ? (await readdir(join(modules, name)).catch(() => [])).map((part) => `${name}/${part}`)
      : [name],
  )
  return (await Promise.all(lists)).flat()
}

/** The nearest folder above that has the folder as a package of its workspace, and all its packages. */
async function workspaceOf(folder: string): Promise<{ root: string; folders: string[] }> {
  for (let at = folder; ; at = dirname(at)) {
    const patterns = await workspacePatterns(at)
    const folders = patterns.length > 0 ? await foldersOf(at, patterns) : []
    if (folders.length > 0 && (at === folder || folders.includes(folder)))
      return { root: at, folders }
    if (at === dirname(at)) return { root: folder, folders: [] }
  }
}

async function workspacePatterns(folder: string): Promise<string[]> {
  const yaml = await textAt(join(folder, 'pnpm-workspace.yaml'), maxManifestBytes)
  if (yaml !== undefined) {
    const { parse } = await import('yaml')
    const table: unknown = attempt(() => parse(yaml, { maxAliasCount: 100 }), undefined)
    return patternsIn(isTable(table) ? table['packages'] : undefined)
  }
  const manifest = await tableAt(join(folder, 'package.json'), maxManifestBytes)
  const declared = manifest?.['workspaces']
  return patternsIn(isTable(declared) ? declared['packages'] : declared)
}

const patternsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

/** Folders that match patterns of names and `*`; `**` stands for one folder or two. */
async function foldersOf(root: string, patterns: readonly string[]): Promise<string[]> {
  const out = new Set(
    patterns
      .filter((pattern) => pattern.startsWith('!'))
      .map((pattern) => join(root, pattern.slice(1))),
  )
  const folders: string[] = []
  for (const pattern of patterns.filter(
    (pattern) => !/^!|(?:^|\/)\.\.(?:\/|$)|^\//.test(pattern),
  )) {
    let places = [root]
    for (const part of pattern.split('/').filter((name) => name !== '' && name !== '.')) {
      const isDeep = part === '**'
      const below = async (place: string) =>
        part.includes('*') ? foldersBelow(place, part) : [join(place, part)]
      const next = (await Promise.all(places.map(below))).flat().slice(0, maxWorkspace)
      places = isDeep ? [...next, ...(await Promise.all(next.map(below))).flat()] : next
    }
    folders.push(...places)
  }
  const inside = [...new Set(folders)].filter((place) => !out.has(place)).slice(0, maxWorkspace)
  const has = await Promise.all(inside.map((place) => fileIn(place, 'package.json')))
  return inside.filter((_, at) => has[at] !== undefined)
}

async function foldersBelow(place: string, part: string): Promise<string[]> {
  const [start = '', end = ''] = part === '**' ? [] : part.split('*')
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .filter(({ name }) => name.startsWith(start) && name.endsWith(end))
    .map(({ name }) => join(place, name))
}
