import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isInside } from '#base/inside-folder'
import { isTable, type Table } from '#base/table'
import type { Library } from './library.ts'
import { fileIn, maxManifestBytes, tableIn, textAt, textIn } from './package-files.ts'

/** Files in which a library declares what it exports. */
export interface Declarations extends Pick<Library, 'ecosystem' | 'name' | 'version'> {
  /** Real path of the folder outside of which nothing is read. */
  folder: string
  /** Names under which programs import it, and the files, relative to the folder; the main one first. */
  modules: { name: string; file: string }[]
  /** Python: all its files; the folder has those of other distributions too. */
  sources?: ReadonlySet<string>
  /** Modules beyond those. */
  more: number
}

/** A member of an exported name. */
export interface DeclaredMember {
  name: string
  /** Several of a method with overloads. */
  signatures: string[]
  /** Its documentation in Markdown, without headings; empty without one. */
  comment: string
}

/** An exported name with its declarations: several of a function with overloads. */
export interface DeclaredName {
  name: string
  /** Other names under which it is exported. */
  aliases: string[]
  /** Python: its last part, if that is enough to name it. */
  short?: string
  /** Under which name programs import it, unless that is the name of the library. */
  module?: string
  signatures: string[]
  comment: string
  members: DeclaredMember[]
}

/** The exported names of a library. */
export interface DescribedDeclarations {
  names: DeclaredName[]
  /** What was not read, as sentences. */
  notes: string[]
}

/** Reads the declarations of a library; a port, since this package reads no languages of programs. */
export type DescribeDeclarations = (declarations: Declarations) => Promise<DescribedDeclarations>

const maxModules = 300
/** Files and folders that a pattern is compared with. */
const maxPatternFiles = 5_000
const maxPatterns = 20
/** Files that the targets of a manifest may lead to. */
const maxTargets = 3_000
/** Objects within `exports`. */
const maxDepth = 8
/** The version of TypeScript whose types are read, where a package has several. */
const typescript = '5.9.3'
/** Of an import; `require` where nothing else has types. */
const conditions = new Set(['import', 'node', 'default'])

/** The declaration files that the manifest of an npm package names. */
export async function npmDeclarations(
  { name, version, ecosystem }: Library,
  folder: string,
): Promise<Declarations> {
  const file = await fileIn(folder, 'package.json')
  const manifest = tableIn((file && (await textAt(file, maxManifestBytes))) ?? '') ?? {}
  const modules = new Map<string, string>()
  const stated = textIn(manifest, 'types') ?? textIn(manifest, 'typings')
  // As TypeScript looks for it.
  const places = [stated, textIn(manifest, 'main'), 'index.d.ts'].filter(
    (each) => each !== undefined,
  )
  const { default: satisfies } = await import('semver/functions/satisfies.js')
  const isCurrent = (range: string): boolean => satisfies(typescript, range)
  const versions = typesVersion(manifest['typesVersions'], isCurrent)
  const main = places.flatMap((place) => [...mappedBy(versions, place), place])
  const subpaths = subpathsOf(manifest['exports'] ?? namedBy(versions))
  const budget: Budget = { targets: maxTargets, patterns: maxPatterns, isCurrent }
  for (const [subpath, target] of [...subpaths, ['.', main] as const]) {
    const isPattern = subpath.includes('*')
    const declared = isPattern ? undefined : await declaredBy(folder, target, budget)
    if (declared !== undefined && !modules.has(subpath)) modules.set(subpath, declared)
    if (!isPattern || modules.size > maxModules || budget.patterns-- <= 0) continue
    for (const [name, file] of await declaredByPattern(folder, subpath, target, budget))
      if (!modules.has(name)) modules.set(name, file)
  }
  const files = new Set<string>()
  const all = [...modules]
    .sort(([a], [b]) => Number(b === '.') - Number(a === '.'))
    .filter(([, path]) => !files.has(path) && files.add(path))
    .map(([subpath, path]) => ({ name: join(name, subpath).replaceAll('\\', '/'), file: path }))
  const { modules: first, more } = bounded(all)
  const beyond = Math.max(0, -budget.targets) + Math.max(0, -budget.patterns)
  return { ecosystem, name, version, folder, modules: first, more: more + beyond }
}

/** What a manifest may still name; less than nothing by what is beyond. */
interface Budget {
  targets: number
  patterns: number
  /** Whether a range of versions of TypeScript has the one whose types are read. */
  isCurrent: (range: string) => boolean
}

const bounded = (all: Declarations['modules']): Pick<Declarations, 'modules' | 'more'> => ({
  modules: all.slice(0, maxModules),
  more: Math.max(0, all.length - maxModules),
})

function subpathsOf(exports: unknown): [subpath: string, target: unknown][] {
  if (!isTable(exports)) return exports === undefined ? [] : [['.', exports]]
  const entries = Object.entries(exports)
  return entries.some(([key]) => key.startsWith('.')) ? entries : [['.', exports]]
}

/** The first declaration file that a target of `exports` leads to. */
async function declaredBy(
  folder: string,
  target: unknown,
  budget: Budget,
  depth = 0,
): Promise<string | undefined> {
  if (depth > maxDepth) return undefined
  if (typeof target === 'string')
    return budget.targets-- > 0 ? declarationAt(folder, target) : undefined
  const choices = Array.isArray(target)
    ? target
    : isTable(target)
      ? byCondition(target, budget)
      : []
  for (const choice of choices) {
    const file = await declaredBy(folder, choice, budget, depth + 1)
    if (file !== undefined) return file
  }
  return undefined
}

/** The modules for a subpath such as `./*`, by the files that its target matches. */
async function declaredByPattern(
  folder: string,
  subpath: string,
  target: unknown,
  budget: Budget,
): Promise<[name: string, file: string][]> {
  const [start = '', end, rest] = patternIn(target, budget)?.split('*') ?? []
  const parent = join(folder, start.replace(/[^/]*$/, ''))
  if (end === undefined || rest !== undefined || !isInside(parent, folder)) return []
  const names = await namesBelow(parent)
  const tail = end.replace(/(?:\.d)?\.([cm]?)[jt]s$/, '.d.$1ts')
  const prefix = join(start).replaceAll('\\', '/')
  const files = names.map((name) => join(relative(folder, parent), name))
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.startsWith(prefix) && file.endsWith(tail) && declaration.test(file))
    .map((file) => {
      const name = file.slice(prefix.length, file.length - tail.length)
      return [subpath.replace('*', name.replace(/\.d\.([cm]?)ts$/, '.$1js')), file]
    })
}

/** Files below a folder. No link is followed: two of them could lead round for ever. */
export async function namesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = ['']
  for (let at = 0; at < folders.length && at + files.length < maxPatternFiles; at++) {
    const path = folders[at] ?? ''
    for (const entry of await readdir(join(folder, path), { withFileTypes: true }).catch(() => []))
      if (entry.isDirectory()) folders.push(join(path, entry.name))
      else if (entry.isFile()) files.push(join(path, entry.name))
  }
  return files.slice(0, maxPatternFiles)
}

/** The first string in a target. */
function patternIn(target: unknown, budget: Budget, depth = 0): string | undefined {
  if (typeof target === 'string' || depth > maxDepth) return `${target}`
  return isTable(target)
    ? byCondition(target, budget)
        .map((choice) => patternIn(choice, budget, depth + 1))
        .find((pattern) => pattern !== undefined)
    : undefined
}

/** The choices of conditions, in the order of the manifest; `require` after the others. */
function byCondition(target: Table, budget: Budget): unknown[] {
  const entries = Object.entries(target)
  const chosen = entries.filter(([name]) => isTypes(name, budget) || conditions.has(name))
  return [...chosen, ...entries.filter(([name]) => name === 'require')].map(([, value]) => value)
}

/** `types`, or `types@RANGE` for the version of TypeScript. */
const isTypes = (condition: string, { isCurrent }: Budget): boolean =>
  condition === 'types' ||
  (condition.startsWith('types@') && isCurrent(condition.slice('types@'.length)))

/** Paths by patterns, for the version of TypeScript. */
function typesVersion(versions: unknown, isCurrent: Budget['isCurrent']): Table {
  const entries = isTable(versions) ? Object.entries(versions) : []
  const [, paths] = entries.find(([range]) => isCurrent(range)) ?? []
  return isTable(paths) ? paths : {}
}

/** What the pattern with the longest beginning has for a path. */
function mappedBy(paths: Table, place: string): string[] {
  const path = place.replace(/^\.\//, '')
  const matches = Object.keys(paths).flatMap((pattern): [string, string][] => {
    const [start = '', end] = pattern.split('*')
    if (end === undefined) return pattern === path ? [[pattern, '']] : []
    const isMatch = path.startsWith(start) && path.endsWith(end)
    return isMatch ? [[pattern, path.slice(start.length, path.length - end.length)]] : []
  })
  const exact = matches.find(([pattern]) => !pattern.includes('*'))
  const [longest] = matches.sort(([a], [b]) => b.indexOf('*') - a.indexOf('*'))
  const [pattern = '', inner = ''] = exact ?? longest ?? []
  return [paths[pattern] ?? []].flat().map((target) => String(target).replace('*', inner))
}

/** Subpaths that have a path of their own, as `exports` has them. */
function namedBy(paths: Table): Table | undefined {
  const names = Object.keys(paths).filter((name) => !/\*|\.d\.[cm]?ts$/.test(name))
  if (names.length === 0) return undefined
  return Object.fromEntries(names.map((name) => [`./${name}`, paths[name]]))
}

const declaration = /\.d\.[cm]?ts$/

/** The declaration file for a file or a module of a package; relative to the package. */
export async function declarationAt(folder: string, path: string): Promise<string | undefined> {
  const base = path.replace(/\.([cm]?)[jt]sx?$/, '')
  const [, letter = ''] = /\.([cm]?)[jt]sx?$/.exec(path) ?? []
  const candidates = declaration.test(path)
    ? [path]
    : [
        `${base}.d.${letter}ts`,
        `${base}.d.ts`,
        ...(base === path ? ['.d.ts', '.d.mts', '.d.cts'].map((end) => `${path}/index${end}`) : []),
        ...(/(?<!\.d)\.[cm]?ts$/.test(path) ? [path] : [`${base}.ts`]),
      ]
  for (const candidate of candidates) {
    const real = await fileIn(folder, candidate)
    if (real !== undefined) return relative(folder, real).replaceAll('\\', '/')
  }
  return undefined
}

/** Modules whose names are public, from the list of files that the installer wrote. */
export function pythonDeclarations(
  { name, version, ecosystem }: Library,
  folder: string,
  files: readonly string[],
): Declarations {
  const modules = new Map<string, string>()
  const sources = files.filter((file) => /\.pyi?$/.test(file))
  for (const file of sources.toSorted(
    (a, b) => Number(b.endsWith('i')) - Number(a.endsWith('i')),
  )) {
    const parts = file
      .replace(/\.pyi?$/, '')
      .replace(/(?:^|\/)__init__$/, '')
      .split('/')
    const module = parts.join('.').replace(/^([\w]+)-stubs/, '$1')
    const isPublic = parts.every(
      (part) => /^[a-z][\w-]*$/i.test(part) && !/^(?:tests?|test_.*|conftest|setup)$/.test(part),
    )
    if (isPublic && !modules.has(module)) modules.set(module, file)
  }
  const depth = (module: string): number => module.split('.').length
  const all = [...modules]
    .sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .map(([module, file]) => ({ name: module, file }))
  return { ecosystem, name, version, folder, sources: new Set(sources), ...bounded(all) }
}

export const typesPackageOf = (name: string): string =>
  `@types/${name.replace(/^@([^/]+)\//, '$1__')}`
