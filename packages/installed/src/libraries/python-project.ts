import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Library, LibraryGroup, LibraryProject } from './library.ts'
import { addVersion, type Plan } from './lockfiles.ts'
import { maxManifestBytes, textAt } from './package-files.ts'

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
  for (const [name, group] of [...namesOfPyproject(pyproject ?? ''), ...lines.map(requirementOf)])
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
  for (const entry of await readdir(site).catch(() => [])) {
    const [, name, version] = /^([\w.-]{1,200}?)-(\d[\w.+!]{0,100})\.dist-info$/.exec(entry) ?? []
    if (name === undefined || version === undefined) continue
    const library = { name: pythonName(name), version, folder: site, metadata: entry }
    libraries.set(library.name, { ecosystem: 'Python', group: 'transitive', ...library })
  }
  return libraries
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
    for (const part of text.split(/^\[\[package\]\]\s*$/m).slice(1)) {
      const [head = ''] = part.split(/^\[/m)
      const [, name] = /^name\s*=\s*"([^"]+)"/m.exec(head) ?? []
      const [, version] = /^version\s*=\s*"([^"]+)"/m.exec(head) ?? []
      if (name && version) addVersion(all, pythonName(name), version)
    }
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

/** Tables that have dependencies as keys (Poetry), and as strings in lists. */
const keyed = /^tool\.poetry\.(?:dev-)?(?:group\.[^.]+\.)?(?:dev-)?dependencies$/
const inLists = /^(?:project|project\.optional-dependencies|dependency-groups)$/

/** The dependencies that a `pyproject.toml` names, read line by line. */
function namesOfPyproject(text: string): [name: string, group: LibraryGroup][] {
  const names: [string, LibraryGroup][] = []
  for (const part of text.split(/^(?=\[)/m)) {
    const [, table = ''] = /^\[\s*([^\]]+?)\s*\]/.exec(part) ?? []
    const group: LibraryGroup = /group|dev/.test(table)
      ? 'devDependencies'
      : table === 'project.optional-dependencies'
        ? 'optionalDependencies'
        : 'dependencies'
    if (keyed.test(table))
      for (const [, name = ''] of part.matchAll(/^"?([a-z\d][\w.-]*)"?\s*=/gim))
        if (name !== 'python') names.push([pythonName(name), group])
    if (!inLists.test(table)) continue
    const key = table === 'project' ? 'dependencies' : '[\\w-]+'
    const lists = part.matchAll(
      new RegExp(`^${key}\\s*=\\s*\\[((?:[^[\\]"']|"[^"\n]*"|'[^'\n]*'){0,20000})\\]`, 'gm'),
    )
    for (const [, list = ''] of lists)
      for (const [, , line = ''] of list.matchAll(/(["'])(.*?)\1/g)) {
        const [name] = requirementOf(line)
        if (name !== '') names.push([name, group])
      }
  }
  return names
}
