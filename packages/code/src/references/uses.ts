import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'

/** How the uses of a name are told from those of others with the same name. */
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

/** The uses of a name in a file, by the symbols around them. */
export function usesIn(file: SourceFile, name: string, matching: Matching): FileUses | undefined {
  const { language, symbols, text, lines } = file
  if (!language) return undefined
  const all = occurrencesOf(text, name, language)
  const isImported = all.some(({ form }) => form === 'import')
  const definesIt = symbols.some((symbol) => symbol.name === name && !symbol.path.includes('/'))
  if (matching === 'import' && !isImported && !definesIt && !takesAll(text, all)) return undefined
  const groups = new Map<string, { symbol?: string; lines: Set<number>; kind: UsedIn['kind'] }>()
  for (const occurrence of all) {
    const { start, form } = occurrence
    if (form === 'import' || (matching === 'import' && !isByImport(occurrence, text))) continue
    const around = innermost(symbols, start)
    if (around && isItsName(around, name, start, text)) continue
    const kind = around && isBase(around, start, text) ? 'extends' : form
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
  if (groups.size === 0 && !isImported) return undefined
  return {
    file: file.path,
    isTest: isTest(file.path),
    isImported,
    usedIn: [...groups.values()].map((group) => ({ ...group, lines: [...group.lines] })),
  }
}

/** `module.name`, where the file imports the module as a whole, counts as its name. */
const isByImport = ({ isMember, isKey, start }: Occurrence, text: string): boolean => {
  if (isKey) return false
  if (!isMember) return true
  const holder = /([\w$]+)\s*\.\s*$/.exec(text.slice(Math.max(0, start - 80), start))?.[1]
  return holder !== undefined && isModule(text, holder)
}

const takesAll = (text: string, all: readonly Occurrence[]): boolean =>
  all.some((occurrence) => occurrence.isMember && isByImport(occurrence, text))

const isModule = (text: string, name: string): boolean =>
  new RegExp(
    String.raw`^\s*(?:import\s+\*\s+as\s+${name}\b|import\s+(?:[\w.]+\s+as\s+)?${name}\b|from\s+[\w.]+\s+import\s+[^\n]*\b${name}\b|(?:const|let|var)\s+${name}\s*=\s*require\b)`.replaceAll(
      '$',
      '\\$',
    ),
    'm',
  ).test(text)

/** Symbols are in the order of the file, parents before children. */
function innermost(symbols: readonly CodeSymbol[], at: number): CodeSymbol | undefined {
  let low = 0
  let high = symbols.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((symbols[middle] as CodeSymbol).start <= at) low = middle + 1
    else high = middle
  }
  for (let index = low - 1; index >= 0; index = (symbols[index] as CodeSymbol).parent) {
    const symbol = symbols[index] as CodeSymbol
    if (symbol.end > at) return symbol
  }
  return undefined
}

/** True for the name in its own definition. */
const isItsName = (symbol: CodeSymbol, name: string, at: number, text: string): boolean =>
  symbol.name === name &&
  at < Math.max(symbol.body, symbol.start + 1) &&
  text.slice(symbol.start, at).lastIndexOf(name) < 0

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

/** True in the header of a type, behind its name: `class A extends B`, `impl B for A`. */
const isBase = ({ kind, start, body, name }: CodeSymbol, at: number, text: string): boolean => {
  if (!types.has(kind) || at >= body) return false
  const before = text.slice(start, at)
  if (kind === 'impl') return /\bfor\b/.test(text.slice(at, body))
  return (
    before.includes(name) &&
    /\b(?:extends|implements|with|include)\b|[:(<]/.test(before.slice(before.indexOf(name)))
  )
}

/** True for files of tests, by their paths. */
export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$|Tests?\.\w+$/.test(
    path,
  )
