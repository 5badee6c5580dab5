import { isTest } from '../access/test-files.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { importsIn, modulesIn, stemOf, stemsOf } from './imports.ts'
import { maxInFile, type Occurrence, occurrencesOf } from './occurrences.ts'
import { innermost, shadowed } from './shadows.ts'

/** How uses of a name are distinguished from those of others with the same name. */
export type Matching = 'import' | 'name'

/** Uses of a name in one symbol of a file, or outside all of them. */
export interface UsedIn {
  /** The name path; absent at the top of the file. */
  symbol?: string
  /** Lines of the file, in order. */
  lines: readonly number[]
  kind: 'call' | 'extends' | 'use'
}

/** The uses in a file. */
export interface FileUses {
  file: string
  isTest: boolean
  /** True if the file imports the name. */
  isImported: boolean
  /** The file has the name more often than was looked at. */
  isCut?: true
  usedIn: readonly UsedIn[]
}

/** Languages whose files name what they take from others. */
const importing: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx', 'python'])

/** `import` if the definitions are not members and their language imports by name. */
export const matchingOf = (
  definitions: readonly { path: string; file: string }[],
  language: string | undefined,
): Matching =>
  language !== undefined &&
  importing.has(language) &&
  definitions.some(({ path }) => !path.includes('/'))
    ? 'import'
    : 'name'

/** Of which of several definitions uses are looked for. */
export interface Wanted {
  name: string
  matching: Matching
  isPython: boolean
  /** Files of the definitions whose uses are wanted, and their stems. */
  files: ReadonlySet<string>
  stems: ReadonlySet<string>
  /** Stems of the files of other definitions, and of those that only pass them on. */
  others: ReadonlySet<string>
  /** Stems of all files with the name. */
  known: ReadonlySet<string>
  /** Folders from which absolute imports of Python may begin, with `/`, and what is there. */
  roots: readonly string[]
  packages: ReadonlySet<string>
}

/** The uses of a name in a file, by the symbols around them. */
export function usesIn(file: SourceFile, wanted: Wanted): FileUses | undefined {
  const { language, symbols, text, lines, path } = file
  if (!language) return undefined
  const { name, matching, isPython } = wanted
  const isByName = matching === 'name'
  const imports = importsIn(text, language)
  const taking = imports.filter(
    ({ specifier, names }) =>
      names.some(({ taken }) => taken === name) && (isByName || mayMean(specifier, path, wanted)),
  )
  const locals = taking.flatMap(({ isExport, names }) =>
    isExport ? [] : names.flatMap(({ taken, local }) => (taken === name ? [local] : [])),
  )
  const takesAll = (): boolean =>
    imports.some(
      ({ specifier, names }) =>
        names.some(({ local }) => local === '*') && isOf(specifier, path, wanted, wanted.stems),
    )
  const takesName = isByName || wanted.files.has(path) || locals.includes(name) || takesAll()
  const modules = isByName ? new Map<string, string>() : modulesIn(imports, isPython)
  const isTaken = (occurrence: Occurrence, local: string): boolean =>
    isByName ||
    (!occurrence.isKey &&
      (occurrence.isMember
        ? local === name && isOfModule(file, occurrence.start, modules, wanted)
        : takesName || local !== name))
  const groups = new Map<string, { symbol?: string; lines: Set<number>; kind: UsedIn['kind'] }>()
  let isImported = taking.length > 0
  let looked = 0
  for (const local of new Set([name, ...(isByName ? [] : locals)])) {
    const all = occurrencesOf(text, local, language, imports)
    looked = Math.max(looked, all.length)
    if (isByName) isImported ||= all.some(({ form }) => form === 'import')
    const isShadowed = isByName ? () => false : shadowed(file, all, isPython)
    const own = definedAt(file, local, all)
    for (const occurrence of all) {
      const { start, form } = occurrence
      if (form === 'import' || occurrence.isDefinition || own.has(start)) continue
      if (!isTaken(occurrence, local) || isShadowed(occurrence)) continue
      const around = innermost(symbols, start)
      if (around?.name === `~${name}`) continue
      const kind = around && isBase(around, start, file) ? 'extends' : form
      const key = `${around?.path ?? ''} ${kind === 'extends'}`
      const group = groups.get(key) ?? {
        ...(around && { symbol: around.path }),
        lines: new Set(),
        kind,
      }
      group.lines.add(lines.lineAt(start))
      if (kind === 'call') group.kind = 'call'
      groups.set(key, group)
    }
  }
  if (groups.size === 0 && !isImported) return undefined
  return {
    file: path,
    isTest: isTest(path),
    isImported,
    ...(looked === maxInFile && { isCut: true }),
    usedIn: [...groups.values()].map((group) => ({
      ...group,
      lines: [...group.lines].sort((one, other) => one - other),
    })),
  }
}

/** Where symbols and values with a name have it: at its first occurrence in them. */
function definedAt(
  { symbols, values }: SourceFile,
  name: string,
  all: readonly Occurrence[],
): Set<number> {
  const found = new Set<number>()
  for (const some of [symbols, values]) {
    let next = 0
    for (const symbol of some) {
      if (symbol.name !== name) continue
      while ((all[next]?.start ?? Infinity) < symbol.start) next++
      const first = all[next]
      if (first && first.start < symbol.end) found.add(first.start)
    }
  }
  return found
}

/** False if an import is of another definition with the name, or of another package. */
function mayMean(specifier: string | undefined, path: string, wanted: Wanted): boolean {
  if (specifier === undefined) return false
  const { stems, others, roots, packages, isPython } = wanted
  const targets = stemsOf(specifier, path, roots, isPython)
  if (targets === undefined) return !specifier.startsWith('node:')
  if (targets.some((target) => stems.has(target))) return true
  if (targets.some((target) => others.has(target))) return false
  return !isPython || specifier.startsWith('.') || packages.has(specifier.replace(/\..*$/, ''))
}

const isOf = (
  specifier: string | undefined,
  path: string,
  { roots, isPython }: Wanted,
  files: ReadonlySet<string>,
): boolean =>
  specifier !== undefined &&
  (stemsOf(specifier, path, roots, isPython) ?? []).some((target) => files.has(target))

/** With the files that only pass on other definitions counted as theirs; barrels may be chained. */
export function withBarrels(wanted: Wanted, files: readonly (SourceFile | undefined)[]): Wanted {
  const { name, stems } = wanted
  const others = new Set(wanted.others)
  for (let turn = 0; turn < 3; turn++)
    for (const file of files) {
      if (!file?.language || stems.has(stemOf(file.path))) continue
      const taking = importsIn(file.text, file.language).filter(({ names }) =>
        names.some(({ taken }) => taken === name),
      )
      const mayBe = taking.some(({ specifier }) =>
        mayMean(specifier, file.path, { ...wanted, others }),
      )
      if (taking.length > 0 && !mayBe) others.add(stemOf(file.path))
    }
  return { ...wanted, others }
}

/** `module.name` counts, where the file imports the module as a whole, and it may have the name. */
function isOfModule(
  { text, path }: SourceFile,
  start: number,
  modules: ReadonlyMap<string, string>,
  wanted: Wanted,
): boolean {
  const { isPython, known, others, files } = wanted
  const before = text.slice(Math.max(0, start - 200), start)
  const [, holder = '', below = ''] =
    /(?<![\w$.]|\.\s+)([\w$]+)((?:\s*\.\s*[\w$]+){0,9})\s*\.\s*$/.exec(before) ?? []
  const module =
    modules.get(holder) ??
    (isPython ? undefined : /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)\)?\s*\.\s*$/.exec(before)?.[1])
  if (module === undefined || (below !== '' && !isPython)) return false
  const specifier = module + below.replace(/\s/g, '')
  const targets = stemsOf(specifier, path, wanted.roots, isPython)
  if (targets === undefined) return others.size === 0
  return targets.some((target) =>
    isPython
      ? (known.has(target) && !others.has(target)) ||
        [...files].some((file) => target !== '' && file.startsWith(`${target}/`))
      : !others.has(target),
  )
}

const types: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'impl',
  'extension',
  'type',
  'module',
])

/** What a line of a type begins with if it names types whose members it takes. */
const taken: Readonly<Record<string, RegExp>> = {
  go: /(?:^|\n)[ \t]*\*?(?:\w+\.)?$/,
  php: /(?:^|\n)[ \t]*use\s+(?:[\w\\]+,\s*)*\\?(?:\w+\\)*$/,
  ruby: /(?:^|\n)[ \t]*(?:include|extend|prepend)[ \t(]+(?:[\w:]+,\s*)*(?:\w+::)*$/,
}

/** Characters of the header of a type that are looked at. */
const maxHeader = 2_000

/** True behind the name of a type in its header, as in `class A extends B`, and in embeddings. */
function isBase(
  { kind, start, body, name }: CodeSymbol,
  at: number,
  { text, language }: SourceFile,
): boolean {
  if (!types.has(kind)) return false
  if (at >= body) {
    const isWhole =
      language?.name !== 'go' || /^[\w$]+[ \t]*(?:[`/\r\n]|$)/.test(text.slice(at, at + 200))
    return (
      isWhole &&
      taken[language?.name ?? '']?.test(text.slice(Math.max(body, at - 200), at)) === true
    )
  }
  const before = text.slice(Math.max(start, at - maxHeader), at)
  if (kind === 'impl') return /\bfor\b/.test(text.slice(at, Math.min(body, at + maxHeader)))
  const behind = before.slice(before.indexOf(name) + name.length)
  // Arguments of generic types are no bases.
  const opened = behind.match(/<(?!\s)/g)?.length ?? 0
  const closed = behind.match(/(?<![=-])>/g)?.length ?? 0
  return (
    before.includes(name) &&
    opened <= closed &&
    /\b(?:extends|implements|with|include)\b|[:(]|<\s/.test(behind)
  )
}
