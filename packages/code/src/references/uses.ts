import { isTest } from '../access/roots.ts'
import type { Language } from '../languages/language.ts'
import { typeKinds } from '../languages/symbol-kind.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { type Exports, type Project, passedOn, targetsOf } from './exports.ts'
import { importsIn } from './imports.ts'
import { maxInFile, type Occurrence, occurrencesOf, wordOf } from './occurrences.ts'
import type { Manifest } from './packages.ts'
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
  /** Other lines with the name: in comments and texts, or of which it is not known what they mean. */
  rest: readonly number[]
  /** Other lines with the name, where it means another thing. */
  others: readonly number[]
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
export interface Subject extends Project {
  name: string
  matching: Matching
  /** Files of the definitions whose uses are asked for. */
  files: ReadonlySet<string>
  /** Types that have another definition of the name. */
  otherHolders: ReadonlySet<string>
  /** Under which names it is exported. */
  exports: Exports
}

/** A file with its syntax, and the packages around it. */
export type UsingFile = SourceFile & { manifest: Manifest }

/** How a file takes a name from others, and which of its occurrences mean it. */
function takingIn(file: UsingFile, subject: Subject) {
  const { name, matching, exports } = subject
  const imports = file.language ? importsIn(file.text, file.language) : []
  const isOfName = imports.some(({ names }) => names.some(({ original }) => original === name))
  if (matching === 'name')
    return { imports, isImported: isOfName, words: [name], isTaken: () => true, isOther: false }
  const isOwn = subject.files.has(file.path)
  const { locals, exported } = passedOn(
    { ...file, imports },
    exports,
    subject,
    isOwn ? ownNames(name) : [],
  )
  const isTaken = ({ start, isMember, isKey }: Occurrence, word: string): boolean => {
    if (isKey || !isMember) return !isKey && locals.has(word)
    const before = file.text.slice(Math.max(0, start - 200), start)
    return locals.has(`${holderBefore(before)}.${word}`) || isOfModule(before, word, file, subject)
  }
  /** Another thing has the name in this file. */
  const isOther =
    !locals.has(name) && imports.some(({ names }) => names.some(({ local }) => local === name))
  const lasts = [...locals].map((local) => local.slice(local.lastIndexOf('.') + 1))
  const isImported = !isOwn && locals.size + exported.size > 0
  return { imports, isImported, words: [...new Set([name, ...lasts])], isTaken, isOther }
}

/** What a file calls what it defines, also by its exports. */
const ownNames = (name: string): string[] => [name, `exports.${name}`, `module.exports.${name}`]

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
  const isType = around ? isBase(around, start, file) : false
  const kind = isType || isAnonymous(file, start, name) ? 'extends' : form
  const key = `${around?.path ?? ''} ${kind === 'extends'}`
  const symbol = around && { symbol: around.path }
  const group: Group = groups.get(key) ?? { ...symbol, lines: new Set(), kind }
  group.lines.add(file.lines.lineAt(start))
  if (kind === 'call') group.kind = 'call'
  groups.set(key, group)
}

/** The uses of a name in a file, by the symbols around them, and the other lines that have it. */
export function usesIn(file: UsingFile, subject: Subject): FileUses {
  const { language, path, lines } = file
  const { name, matching, isPython } = subject
  const isByName = matching === 'name'
  const { imports, words, isTaken, isOther, ...taking } = takingIn(file, subject)
  const isQualified = (start: number): boolean =>
    subject.otherHolders.size > 0 &&
    subject.otherHolders.has(qualifierBefore(file.text.slice(Math.max(0, start - 100), start)))
  const groups = new Map<string, Group>()
  /** Lines where it is defined, imported or used, and those of another thing. */
  const [known, others] = [new Set<number>(), new Set<number>()]
  let { isImported } = taking
  let looked = 0
  for (const word of language ? words : []) {
    const all = occurrencesOf(file.text, word, language as Language, imports)
    looked = Math.max(looked, all.length)
    if (isByName) isImported ||= all.some(({ form }) => form === 'import')
    const isShadowed = isByName ? () => false : shadowed(file, all, isPython)
    const definitionStarts = definedAt(file, word, all)
    const isTheirs = isOther || (!isByName && definitionStarts.size > 0 && !subject.files.has(path))
    const isAnother = ({ isDefinition, isKeyword, start }: Occurrence): boolean =>
      isDefinition || isKeyword || isQualified(start)
    const linesFor = (occurrence: Occurrence): Set<number> | undefined => {
      const { start, form, isMember } = occurrence
      if (definitionStarts.has(start)) return known
      if (form === 'import') return isImported ? known : others
      if (isAnother(occurrence) || isShadowed(occurrence)) return others
      if (!isTaken(occurrence, word)) return isTheirs && !isMember ? others : undefined
      addUse(groups, file, name, start, form)
      return known
    }
    for (const occurrence of all) linesFor(occurrence)?.add(lines.lineAt(occurrence.start))
  }
  const rest = new Set<number>()
  for (const { index } of file.text.matchAll(new RegExp(wordOf(name, language), 'g')))
    rest.add(lines.lineAt(index))
  const less = (some: Set<number>, ...without: Set<number>[]): number[] =>
    [...some].filter((line) => !without.some((set) => set.has(line))).sort((a, b) => a - b)
  return {
    file: path,
    isTest: isTest(path),
    isImported,
    ...(looked === maxInFile && { isCut: true }),
    usedIn: [...groups.values()].map((group) => ({ ...group, lines: less(group.lines) })),
    rest: less(rest, known, others),
    others: less(others, known),
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

/** `A` before the name of `A.name` or `A::name`; empty without one. */
const qualifierBefore = (before: string): string =>
  /([\w$]+)\s*(?:\.|::)\s*$/.exec(before)?.[1] ?? ''

/** The name path before a dot: `a.b` in `a.b.name`. */
const holderBefore = (before: string): string =>
  (
    /(?<![\w$.]|\.\s+)([\w$]+(?:\s*\??\.\s*[\w$]+){0,9})\s*\??\.\s*$/.exec(before)?.[1] ?? ''
  ).replace(/[\s?]/g, '')

/** `import('a').name`, `require('a').name`. */
function isOfModule(before: string, name: string, file: UsingFile, subject: Subject): boolean {
  const [, specifier] =
    /\b(?:import|require)\(\s*['"]([^'"\n]+)['"]\s*\)\)?\s*\.\s*$/.exec(before) ?? []
  const targets =
    specifier === undefined ? [] : targetsOf(specifier, file, subject.exports, subject)
  return targets.some((target) => subject.exports.get(target)?.has(name))
}

/** What a line of a type begins with if it names types whose members it takes. */
const embeddings: Readonly<Record<string, RegExp>> = {
  go: /(?:^|\n)[ \t]*\*?(?:\w+\.)?$/,
  php: /(?:^|\n)[ \t]*use\s+(?:[\w\\]+,\s*)*\\?(?:\w+\\)*$/,
  ruby: /(?:^|\n)[ \t]*(?:include|extend|prepend)[ \t(]+(?:[\w:]+,\s*)*(?:\w+::)*$/,
}

/** What stands before and behind the type of a value that has members of its own. */
const anonymous: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  java: [/\bnew\s+(?:\w+\.)*$/, /^(?:<[^{}()]{0,200}>)?\s*\([^{}]{0,200}\)\s*\{/],
  scala: [/\bnew\s+(?:\w+\.)*$/, /^(?:\[[^{}()]{0,200}\])?\s*(?:\([^{}]{0,200}\))?\s*\{/],
  kotlin: [/\bobject\s*:\s*(?:[\w.]+(?:\(\))?,\s*)*(?:\w+\.)*$/, /^/],
}

function isAnonymous({ text, language }: SourceFile, at: number, name: string): boolean {
  const [before, behind] = anonymous[language?.name ?? ''] ?? []
  return (
    before?.test(text.slice(Math.max(0, at - 100), at)) === true &&
    behind?.test(text.slice(at + name.length, at + name.length + 500)) === true
  )
}

/** Languages in whose headers of types parentheses are around parameters and arguments only. */
const hasParameters: ReadonlySet<string> = new Set([
  'csharp',
  'dart',
  'java',
  'kotlin',
  'scala',
  'swift',
])

/** Parentheses that are open at the end of a text. */
const depthOf = (text: string): number =>
  (text.match(/\(/g)?.length ?? 0) - (text.match(/\)/g)?.length ?? 0)

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
  const isArgument =
    language?.name === 'python'
      ? /\w\s*=\s*$/.test(behind)
      : hasParameters.has(language?.name ?? '') && depthOf(behind) > 0
  return (
    before.includes(name) &&
    !isArgument &&
    opened <= closed &&
    /\b(?:extends|implements|with|include)\b|[:(]|<\s/.test(behind)
  )
}
