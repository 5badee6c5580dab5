import { escapePattern } from '#base/escape-pattern'
import { type Import, isAt, moduleOf, stemOf, stemsOf } from './imports.ts'
import { type Manifest, packageOf } from './packages.ts'

/**
 * By the stem of a file, or the name of a package, the name paths under which it exports a thing:
 * `total`, `default`, or `utils.total` as a member of an object.
 */
export type Exports = ReadonlyMap<string, ReadonlySet<string>>

/** What is looked at of a file. */
export interface SourceText {
  path: string
  text: string
  manifest: Manifest
  imports: readonly Import[]
}

/** Where specifiers lead. */
export interface Project {
  isPython: boolean
  /** Folders from which absolute imports of Python may begin, with `/`. */
  roots: readonly string[]
  /** Names of the packages that export the thing. */
  own: ReadonlySet<string>
}

/** Before the name of a package, which is no stem. */
export const packagePrefix = 'package:'
/** Objects that hold objects that hold a thing. */
const maxDepth = 4
/** At most this many places of a name are looked at for exports of it. */
const maxLooked = 200
const maxLocals = 50
/** Characters before and behind a name. */
const maxBefore = 200
/** Characters of an object before a name. */
const maxObject = 20_000

/** The name paths of a thing in a file that imports it, and those under which the file exports it. */
export function passedOn(
  file: SourceText,
  exports: Exports,
  project: Project,
  own: readonly string[] = [],
): { locals: ReadonlySet<string>; exported: ReadonlySet<string> } {
  const { text, imports } = file
  const [locals, exported] = [new Set(own), new Set<string>()]
  for (const statement of imports)
    for (const local of takenBy(statement, file, exports, project)) {
      // Of a module of Python, others may import what it imports.
      if (statement.isExport || (project.isPython && !local.includes('.'))) exported.add(local)
      if (!statement.isExport) locals.add(local)
    }
  // What holds it in turn is added while the names are looked at.
  for (const local of locals) {
    if (local.split('.').length > maxDepth || locals.size > maxLocals) continue
    for (const path of listedIn(imports, local)) exported.add(path)
    for (const from of new Set([local, local.split('.', 1)[0] as string]))
      for (const to of assignedIn(text, from, project.isPython)) {
        if (to.isExported) exported.add(renamed(local, from, to.path))
        if (to.isLocal) locals.add(renamed(local, from, to.path))
      }
  }
  return { locals, exported }
}

/** `export { local as other }`. */
const listedIn = (imports: readonly Import[], path: string): string[] =>
  imports.flatMap(({ isExport, specifier, names }) =>
    names.flatMap(({ original, local }) =>
      isExport && specifier === undefined && isBelow(path, original)
        ? [renamed(path, original, local)]
        : [],
    ),
  )

const isBelow = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`)

const renamed = (path: string, from: string, to: string): string => to + path.slice(from.length)

/** The names by which a statement takes what others export. */
function takenBy(
  { names, isExport, specifier }: Import,
  file: SourceText,
  exports: Exports,
  project: Project,
): string[] {
  const pathsOf = (from: string): string[] =>
    targetsOf(from, file, exports, project).flatMap((target) => [...(exports.get(target) ?? [])])
  return names.flatMap(({ original, local, isModule }) => {
    const isAll = original === '*'
    const taken = (specifier === undefined ? [] : pathsOf(specifier)).flatMap((path) => {
      if (isAll && local === '*') return path === 'default' ? [] : [path]
      if (isBelow(path, original)) return [renamed(path, original, local)]
      return isAll || (isModule && !project.isPython) ? [`${local}.${path}`] : []
    })
    if (!isModule || !project.isPython || isExport) return taken
    // `import a` also gives `a.b.name`.
    const modules = targetsOf(moduleOf(specifier, original), file, exports, project)
    for (const [stem, paths] of exports)
      for (const module of modules) {
        const rest =
          stem === module
            ? ''
            : stem.startsWith(`${module}/`)
              ? stem.slice(module.length + 1)
              : undefined
        if (rest === undefined || module === '') continue
        const below = [local, ...rest.split('/').filter(Boolean)].join('.')
        taken.push(...[...paths].map((path) => `${below}.${path}`))
      }
    return taken
  })
}

/** The files and packages with exports that a specifier means. */
export function targetsOf(
  specifier: string,
  { path, manifest }: Pick<SourceText, 'path' | 'manifest'>,
  exports: Exports,
  { isPython, roots, own }: Project,
): string[] {
  const stems = stemsOf(specifier, path, roots, isPython)
  if (stems) return stems
  const meant = packageOf(specifier, own, manifest)
  if (meant === 'other') return []
  const ends = meant.paths.map(stemOf)
  const below = [...exports.keys()].filter((stem) => ends.some((end) => isAt(stem, end)))
  return 'own' in meant ? [...below, `${packagePrefix}${meant.own}`] : below
}

interface Assigned {
  path: string
  isExported: boolean
  /** The file itself may use it by that path. */
  isLocal: boolean
}

/** Under which other name paths a file exports or holds what it has under one. */
function assignedIn(text: string, local: string, isPython: boolean): Assigned[] {
  const pattern = new RegExp(`(?<![\\w$.])${escapePattern(local)}(?![\\w$])`, 'g')
  const found: Assigned[] = []
  let looked = 0
  for (const { index } of text.matchAll(pattern)) {
    if (looked++ > maxLooked) break
    const before = text.slice(Math.max(0, index - maxBefore), index)
    const after = text.slice(index + local.length, index + local.length + maxBefore)
    const assigned = isPython
      ? assignedInPython(before, after)
      : assignedInJavascript(text, index, before, after)
    if (assigned) found.push(assigned)
  }
  return found
}

/** `other = name` in the first column. */
function assignedInPython(before: string, after: string): Assigned | undefined {
  const [, path] = /(?:^|\n)([A-Za-z_]\w*)\s*(?::[^=\n]*)?=\s*$/.exec(before) ?? []
  const isWhole = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.test(after)
  return path !== undefined && isWhole ? { path, isExported: true, isLocal: true } : undefined
}

/** `export default function name`, `exports.other = name`, `const other = { key: name }`. */
function assignedInJavascript(
  text: string,
  at: number,
  before: string,
  after: string,
): Assigned | undefined {
  if (
    /\bexport\s+default\s+(?:(?:async\s+)?function\b\s*\*?|(?:abstract\s+)?class)\s+$/.test(before)
  )
    return { path: 'default', isExported: true, isLocal: false }
  if (!/^\s*(?:[;,})]|$)|^[ \t]*(?:\/\/[^\n]*)?\r?\n/.test(after)) return undefined
  const holder = holderOf(before)
  if (holder) return { ...holder, path: holder.path || 'default' }
  const isShorthand = /[{,]\s*$/.test(before) && /^\s*[,}]/.test(after)
  const [, key] = isShorthand
    ? (/^([\w$]+)/.exec(text.slice(at, at + maxBefore)) ?? [])
    : (/[{,\s]['"]?([\w$]+)['"]?\s*:\s*$/.exec(before) ?? [])
  const begin = key === undefined ? undefined : beginOfObject(text, at)
  if (begin === undefined) return undefined
  const object = holderOf(text.slice(Math.max(0, begin - maxBefore), begin))
  return object && { ...object, path: object.path === '' ? `${key}` : `${object.path}.${key}` }
}

/** What a value behind a text is assigned to; an empty path for the exports of a module as a whole. */
function holderOf(before: string): Assigned | undefined {
  const value = before.replace(/\bObject\.freeze\(\s*$/, '')
  if (/\bexport\s+(?:default|=)\s*$/.test(value))
    return { path: 'default', isExported: true, isLocal: false }
  if (
    /(?<![\w$.])module\.exports\s*=\s*$|\bObject\.assign\(\s*(?:module\.)?exports\s*,\s*$/.test(
      value,
    )
  )
    return { path: '', isExported: true, isLocal: false }
  const [, member] = /(?<![\w$.])(?:module\.)?exports\.([\w$]+)\s*=\s*$/.exec(value) ?? []
  if (member !== undefined) return { path: member, isExported: true, isLocal: false }
  const [, keyword, path] =
    /(?:^|[\n;{])[ \t]*(export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=;{}]{0,100})?=\s*$/.exec(
      value,
    ) ?? []
  return path === undefined ? undefined : { path, isExported: keyword !== undefined, isLocal: true }
}

/** Where the braces around a place begin, if they are near. */
function beginOfObject(text: string, at: number): number | undefined {
  let depth = 0
  for (let index = at - 1; index >= Math.max(0, at - maxObject); index--) {
    const code = text.charCodeAt(index)
    if (code === 125 || code === 41) depth++
    else if (code === 123 || code === 40) depth--
    if (depth < 0) return code === 123 ? index : undefined
  }
  return undefined
}
