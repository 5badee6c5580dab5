import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '#base/attempt'
import { isTable, type Table } from '#base/table'
import type { Library, LibraryGroup, LibraryProject } from './library.ts'
import { addVersion, type Plan } from './lockfiles.ts'
import { maxManifestBytes, metadataOf, textAt } from './package-files.ts'

const environments = ['.venv', 'venv']
const requirements = /^requirements(?:[-_.][\w-]+)?\.txt$/i
const maxPyprojectBytes = 2 ** 18
/** Names beyond so many are not listed. */
const maxNames = 5_000

/** Alike however it is written: `Flask_Login` is `flask-login`. */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

/** The Python distributions of the project in a folder; undefined without a manifest. */
export async function openPythonProject(folder: string): Promise<LibraryProject | undefined> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => requirements.test(name))
  const pyproject = await textAt(join(folder, 'pyproject.toml'), maxPyprojectBytes)
  if (pyproject === undefined && files.length === 0) return undefined
  const lists = await Promise.all(files.map((name) => textAt(join(folder, name), maxManifestBytes)))
  const lines = lists.flatMap((text) => (text ?? '').split('\n'))
  const declared = new Map<string, LibraryGroup>()
  for (const [name, group] of [
    ...namesOfPyproject((await tomlIn(pyproject ?? '')) ?? {}),
    ...lines.map(requirementOf),
  ])
    if (name !== '' && declared.size < maxNames && !declared.has(name)) declared.set(name, group)
  const site = await sitePackages(folder)
  const installed = site === undefined ? new Map<string, Library>() : await installedIn(site)
  const plan = await lockedIn(folder, lines)
  const libraryOf = (name: string, group: LibraryGroup): Library[] => {
    const locked = [...(plan.all.get(name) ?? [])]
    const library = installed.get(name)
    const planned = { version: locked[0] ?? '', lockfile: plan.lockfile }
    const isPlanned = locked.length > 0 && !locked.includes(library?.version ?? '')
    if (library) return [{ ...library, group, ...(isPlanned && { planned }) }]
    if (!isPlanned && !declared.has(name)) return []
    const { version } = planned
    return [{ ecosystem: 'Python', name, version, group, ...(isPlanned && { planned }) }]
  }

  return {
    watched: [
      ...['pyproject.toml', 'uv.lock', 'poetry.lock', ...files].map((name) => join(folder, name)),
      ...(site === undefined ? environments.map((name) => join(folder, name)) : [site]),
    ],
    list: async () => [...declared].flatMap(([name, group]) => libraryOf(name, group)),
    versionsOf: async (name) => libraryOf(pythonName(name), 'transitive'),
    names: async (most) => [...installed.values()].map(({ name }) => name).slice(0, most),
  }
}

async function sitePackages(folder: string): Promise<string | undefined> {
  for (const name of environments) {
    const lib = join(folder, name, 'lib')
    const versions = (await readdir(lib).catch(() => [])).filter((entry) => /^python\d/.test(entry))
    const places = [...versions.map((entry) => join(lib, entry)), join(folder, name, 'Lib')]
    for (const place of places) {
      const real = await realpath(join(place, 'site-packages')).catch(() => undefined)
      if (real !== undefined) return real
    }
  }
  return undefined
}

async function installedIn(site: string): Promise<Map<string, Library>> {
  const libraries = new Map<string, Library>()
  const entries = (await readdir(site).catch(() => [])).filter((entry) => isMetadata.test(entry))
  for (const entry of entries.slice(0, maxNames)) {
    const { name, version } = await namedBy(site, entry)
    if (name === undefined || version === undefined) continue
    const library = { name: pythonName(name), version, folder: site, metadata: entry }
    // What an installer left there comes before what a package of the system has.
    if (!libraries.has(library.name) || entry.endsWith('.dist-info'))
      libraries.set(library.name, { ecosystem: 'Python', group: 'transitive', ...library })
  }
  return libraries
}

const isMetadata = /\.(?:dist|egg)-info$/
const versioned = /^([\w.-]{1,200}?)-(\d[\w.+!]{0,100}?)(?:-py\d[\d.]{0,10})?\.(?:dist|egg)-info$/

/** By the name of its metadata, or else what that says. */
async function namedBy(
  site: string,
  entry: string,
): Promise<{ name?: string | undefined; version?: string | undefined }> {
  const [, name, version] = versioned.exec(entry) ?? []
  if (name !== undefined) return { name, version }
  const file = await metadataOf(site, entry)
  const text = (file && (await textAt(file, maxManifestBytes))) ?? ''
  const fieldOf = (key: string) => new RegExp(`^${key}: *(\\S+)`, 'm').exec(text)?.[1]
  return { name: fieldOf('Name'), version: fieldOf('Version') }
}

/** `uv.lock` or `poetry.lock`, or else the exact versions of the requirements. */
async function lockedIn(
  folder: string,
  lines: readonly string[],
): Promise<Pick<Plan, 'all' | 'lockfile'>> {
  const all: Plan['all'] = new Map()
  for (const lockfile of ['uv.lock', 'poetry.lock']) {
    const text = await textAt(join(folder, lockfile))
    if (text === undefined) continue
    const { package: packages } = (await tomlIn(text)) ?? {}
    for (const { name, version } of listOf(packages).map(tableOf))
      if (typeof name === 'string' && typeof version === 'string')
        addVersion(all, pythonName(name), version)
    return { all, lockfile }
  }
  for (const line of lines) {
    const [, name, version] = /^\s*([\w.-]+)(?:\[[^\]]*\])?\s*===?\s*([\w.+!]+)/.exec(line) ?? []
    if (name && version) addVersion(all, pythonName(name), version)
  }
  return { all, lockfile: 'requirements.txt' }
}

function requirementOf(line: string): [name: string, group: LibraryGroup] {
  const [, name = ''] = /^\s*([a-z\d][\w.-]*)\s*(?:[[<>=!~;,@#]|$)/i.exec(line) ?? []
  return [pythonName(name), 'dependencies']
}

/** A file of TOML; undefined if it is not valid. */
async function tomlIn(text: string): Promise<Table | undefined> {
  const { parse } = await import('smol-toml')
  const table: unknown = attempt(() => parse(text), undefined)
  return isTable(table) ? table : undefined
}

const tableOf = (value: unknown): Table => (isTable(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The dependencies that a `pyproject.toml` names: in lists of strings, and as keys of Poetry's tables. */
function namesOfPyproject(root: Table): [name: string, group: LibraryGroup][] {
  const project = tableOf(root['project'])
  const poetry = tableOf(tableOf(root['tool'])['poetry'])
  const listsIn = (value: unknown) => Object.values(tableOf(value)).flatMap(listOf)
  const keysOf = (value: unknown) => Object.keys(tableOf(value)).filter((key) => key !== 'python')
  const groups = Object.values(tableOf(poetry['group'])).map(tableOf)
  const inGroups = (group: LibraryGroup, lines: readonly unknown[]) =>
    lines.flatMap((line): [string, LibraryGroup][] => {
      const [name] = typeof line === 'string' ? requirementOf(line) : ['']
      return name === '' ? [] : [[name, group]]
    })
  return [
    ...inGroups('dependencies', [
      ...listOf(project['dependencies']),
      ...keysOf(poetry['dependencies']),
    ]),
    ...inGroups('optionalDependencies', listsIn(project['optional-dependencies'])),
    ...inGroups('devDependencies', [
      ...listsIn(root['dependency-groups']),
      ...keysOf(poetry['dev-dependencies']),
      ...groups.flatMap((group) => keysOf(group['dependencies'])),
    ]),
  ]
}
