import { isTest } from '../access/test-files.ts'
import { type Language, typeKinds } from '../languages/language.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { importsIn, modulesIn, stemOf, stemsOf } from './imports.ts'
import { maxInFile, type Occurrence, occurrencesOf } from './occurrences.ts'
import { innermost, shadowed } from './shadows.ts'

/** How uses of a name are distinguished from those of another thing with the same name. */
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
export interface Subject {
  name: string
  matching: Matching
  isPython: boolean
  /** Files of the definitions whose uses are asked for, and their stems. */
  files: ReadonlySet<string>
  stems: ReadonlySet<string>
  /** Stems of the files of other definitions, and of those that only pass them on. */
  otherStems: ReadonlySet<string>
  /** Stems of all files with the name. */
  repositoryStems: ReadonlySet<string>
  /** Folders from which absolute imports of Python may begin, with `/`, and what is there. */
  roots: readonly string[]
  packages: ReadonlySet<string>
}

/** How a file takes a name from others, and which of its occurrences mean it. */
function takingIn(file: SourceFile, language: Language, subject: Subject) {
  const { text, path } = file
  const { name, matching, isPython } = subject
  const isByName = matching === 'name'
  const imports = importsIn(text, language)
  const taking = imports.filter(
    ({ specifier, names }) =>
      names.some(({ original }) => original === name) &&
      (isByName || mayMean(specifier, path, subject)),
  )
  const locals = taking.flatMap(({ isExport, names }) =>
    isExport ? [] : names.flatMap(({ original, local }) => (original === name ? [local] : [])),
  )
  const takesAll = (): boolean =>
    imports.some(
      ({ specifier, names }) =>
        names.some(({ local }) => local === '*') && isOf(specifier, path, subject, subject.stems),
    )
  const takesName = isByName || subject.files.has(path) || locals.includes(name) || takesAll()
  const modules = isByName ? new Map<string, string>() : modulesIn(imports, isPython)
  const isTaken = (occurrence: Occurrence, local: string): boolean =>
    isByName ||
    (!occurrence.isKey &&
      (occurrence.isMember
        ? local === name && isOfModule(file, occurrence.start, modules, subject)
        : takesName || local !== name))
  return { imports, isImported: taking.length > 0, locals, isTaken }
}

interface Group {
  symbol?: string
  lines: Set<number>
  kind: UsedIn['kind']
}

/** Adds a use to those of the symbol around it. */
function addUse(
  groups: Map<string, Group>,
  file: SourceFile,
  name: string,
  start: number,
  form: 'call' | 'use',
): void {
  const around = innermost(file.symbols, start)
  if (around?.name === `~${name}`) return
  const kind = around && isBase(around, start, file) ? 'extends' : form
  const key = `${around?.path ?? ''} ${kind === 'extends'}`
  const symbol = around && { symbol: around.path }
  const group: Group = groups.get(key) ?? { ...symbol, lines: new Set(), kind }
  group.lines.add(file.lines.lineAt(start))
  if (kind === 'call') group.kind = 'call'
  groups.set(key, group)
}

/** The uses of a name in a file, by the symbols around them. */
export function usesIn(file: SourceFile, subject: Subject): FileUses | undefined {
  const { language, text, path } = file
  if (!language) return undefined
  const { name, matching, isPython } = subject
  const isByName = matching === 'name'
  const { imports, locals, isTaken, ...taking } = takingIn(file, language, subject)
  const groups = new Map<string, Group>()
  let { isImported } = taking
  let looked = 0
  for (const local of new Set([name, ...(isByName ? [] : locals)])) {
    const all = occurrencesOf(text, local, language, imports)
    looked = Math.max(looked, all.length)
    if (isByName) isImported ||= all.some(({ form }) => form === 'import')
    const isShadowed = isByName ? () => false : shadowed(file, all, isPython)
    const definitionStarts = definedAt(file, local, all)
    for (const occurrence of all) {
      const { start, form } = occurrence
      if (form === 'import' || occurrence.isDefinition || definitionStarts.has(start)) continue
      if (!isTaken(occurrence, local) || isShadowed(occurrence)) continue
      addUse(groups, file, name, start, form)
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
      lines: [...group.lines].sort((a, b) => a - b),
    })),
  }
}

/** Where symbols and values with a name have it: at its first occurrence in them. */
function definedAt(
  { symbols, values }: SourceFile,
  name: string,
  all: readonly Occurrence[],
): Set<number> {
  const starts = new Set<number>()
  for (const some of [symbols, values]) {
    let next = 0
    for (const symbol of some) {
      if (symbol.name !== name) continue
      while ((all[next]?.start ?? Infinity) < symbol.start) next++
      const first = all[next]
      if (first && first.start < symbol.end) starts.add(first.start)
    }
  }
  return starts
}

/** False if an import is of another definition with the name, or of another package. */
function mayMean(specifier: string | undefined, path: string, subject: Subject): boolean {
  if (specifier === undefined) return false
  const { stems, otherStems, roots, packages, isPython } = subject
  const targets = stemsOf(specifier, path, roots, isPython)
  if (targets === undefined) return !specifier.startsWith('node:')
  if (targets.some((target) => stems.has(target))) return true
  if (targets.some((target) => otherStems.has(target))) return false
  return !isPython || specifier.startsWith('.') || packages.has(specifier.replace(/\..*$/, ''))
}

const isOf = (
  specifier: string | undefined,
  path: string,
  { roots, isPython }: Subject,
  files: ReadonlySet<string>,
): boolean =>
  specifier !== undefined &&
  (stemsOf(specifier, path, roots, isPython) ?? []).some((target) => files.has(target))

/** With the files that only pass on other definitions counted as theirs; barrels may be chained. */
export function withBarrels(subject: Subject, files: readonly SourceFile[]): Subject {
  const { name, stems } = subject
  const otherStems = new Set(subject.otherStems)
  for (let turn = 0; turn < 3; turn++)
    for (const file of files) {
      if (!file.language || stems.has(stemOf(file.path))) continue
      const taking = importsIn(file.text, file.language).filter(({ names }) =>
        names.some(({ original }) => original === name),
      )
      const mayBe = taking.some(({ specifier }) =>
        mayMean(specifier, file.path, { ...subject, otherStems }),
      )
      if (taking.length > 0 && !mayBe) otherStems.add(stemOf(file.path))
    }
  return { ...subject, otherStems }
}

/** `module.name` counts, where the file imports the module as a whole, and it may have the name. */
function isOfModule(
  { text, path }: SourceFile,
  start: number,
  modules: ReadonlyMap<string, string>,
  subject: Subject,
): boolean {
  const { isPython, repositoryStems, otherStems, files } = subject
  const before = text.slice(Math.max(0, start - 200), start)
  const [, holder = '', below = ''] =
    /(?<![\w$.]|\.\s+)([\w$]+)((?:\s*\.\s*[\w$]+){0,9})\s*\.\s*$/.exec(before) ?? []
  const module =
    modules.get(holder) ??
    (isPython ? undefined : /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)\)?\s*\.\s*$/.exec(before)?.[1])
  if (module === undefined || (below !== '' && !isPython)) return false
  const specifier = module + below.replace(/\s/g, '')
  const targets = stemsOf(specifier, path, subject.roots, isPython)
  if (targets === undefined) return otherStems.size === 0
  return targets.some((target) =>
    isPython
      ? (repositoryStems.has(target) && !otherStems.has(target)) ||
        [...files].some((file) => target !== '' && file.startsWith(`${target}/`))
      : !otherStems.has(target),
  )
}

/** What a line of a type begins with if it names types whose members it takes. */
const embeddings: Readonly<Record<string, RegExp>> = {
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
  if (!typeKinds.has(kind)) return false
  if (at >= body) {
    const isWhole =
      language?.name !== 'go' || /^[\w$]+[ \t]*(?:[`/\r\n]|$)/.test(text.slice(at, at + 200))
    return (
      isWhole &&
      embeddings[language?.name ?? '']?.test(text.slice(Math.max(body, at - 200), at)) === true
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
