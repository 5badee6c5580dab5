import { lastAtMost } from '@pith-mcp/paginator'
import type { Tree } from 'web-tree-sitter'
import { lineStart } from '#base/line-start'
import type { Language } from '../languages/language.ts'
import { type SymbolKind, typeKinds } from '../languages/symbol-kind.ts'
import { type Definition, type ParsedTree, unitSize } from './parsed.ts'
import { type Scanned, scanBlocks } from './scan-blocks.ts'
import { type ScannedHeader, scanHeaders } from './scan-headers.ts'

/** An opening brace, and the offset behind the one that closes it. */
type Closes = ReadonlyMap<number, number>

/**
 * Where the parser failed: find the ends of functions by their braces, their statements, and lost
 * functions and types. Correctly parsed parts are unchanged.
 */
export function recoverDefinitions(
  parsed: ParsedTree,
  text: string,
  language: Language,
  tree: Tree,
): ParsedTree {
  const { lexis, headers, hasHereDocuments = false } = language
  if (!parsed.hasErrors) return parsed
  if (headers)
    return {
      ...parsed,
      definitions: nested(byHeaders(parsed, scanHeaders(text, headers, hasHereDocuments), text)),
    }
  const scanned = lexis ? scanBlocks(text, lexis) : undefined
  const closes = scanned?.closes ?? closesIn(tree)
  const known = parsed.definitions.map((definition) =>
    withConditions(corrected(definition, closes), text, lexis?.hasPreprocessor),
  )
  const lost = lostTypes(text, known, closes)
  const bodiesOfLost = new Set(lost.map(({ body }) => body))
  // With another name, it is a type whose name the parser has mistaken.
  const retained = [...known.filter(({ body }) => !bodiesOfLost.has(body)), ...lost]
  if (!scanned || !lexis?.hasFunctions) return { ...parsed, definitions: nested(retained) }
  const bodies = new Set(retained.map(({ body }) => body))
  const functions = scanned.functions.filter(({ body }) => !bodies.has(body)).map(asDefinition)
  const isDoubtful = ({ kind, hasError, isRecovered }: Definition) =>
    (hasError || isRecovered) && kind === 'function'
  const doubtful = outermost([...retained.filter(isDoubtful), ...functions])
  return {
    ...parsed,
    definitions: nested([...retained, ...functions]),
    // On demand: an outline has no use for them.
    get units() {
      return replaced(parsed.units, scanned.units, unitSize, doubtful)
    },
    get leads() {
      return replaced(parsed.leads, scanned.leads, 2, doubtful)
    },
  }
}

function corrected(definition: Definition, closes: Closes): Definition {
  const { kind, body, hasError } = definition
  const end = hasError || typeKinds.has(kind) ? closes.get(body) : undefined
  // What is behind the brace of a type, as a name or a semicolon, belongs to it.
  const isWhole = end === undefined || (hasError ? end === definition.end : end <= definition.end)
  return isWhole ? definition : { ...definition, end, isRecovered: true }
}

/** The end behind `#if … #endif` if a definition continues there, as `=> value;` in C# does. */
function withConditions(definition: Definition, text: string, isKnown = false): Definition {
  const { end } = definition
  if (!isKnown || /[;}]/.test(text[end - 1] ?? ';')) return definition
  conditionBehind.lastIndex = end
  const condition = conditionBehind.exec(text)
  if (!condition) return definition
  const behind = conditionBehind.lastIndex
  return { ...definition, end: behind, body: Math.min(definition.body, behind), isRecovered: true }
}

/** Without another condition in it; and what ends a statement behind it. */
const conditionBehind =
  /[ \t]*\r?\n[ \t]*#[ \t]*if\b(?:(?!\n[ \t]*#[ \t]*(?:if|endif)\b)[\s\S]){0,2000}\n[ \t]*#[ \t]*endif\b[^\n]*(?:\s*;)?/y

/** The braces of a tree that close, also where its nodes do not fit together. */
function closesIn(tree: Tree): Closes {
  const closes = new Map<number, number>()
  const open: number[] = []
  const cursor = tree.walk()
  for (let isDone = false; !isDone; ) {
    if (cursor.nodeType === '{') open.push(cursor.startIndex)
    else if (cursor.nodeType === '}' && open.length > 0)
      closes.set(open.pop() as number, cursor.endIndex)
    if (cursor.gotoFirstChild()) continue
    while (!cursor.gotoNextSibling() && !isDone) isDone = !cursor.gotoParent()
  }
  cursor.delete()
  return closes
}

const kindOfWord: Readonly<Record<string, SymbolKind>> = {
  struct: 'struct',
  union: 'struct',
  enum: 'enum',
  interface: 'interface',
  trait: 'interface',
}

/** A line that begins a type with a body, in all languages with braces, up to it. */
const typeHeader =
  /^[ \t]*(?:(?:@[\w.]+(?:\([^()\n]*\))?|template\s*<[^;{}()]{0,300}>|[a-z]+|[A-Z][A-Z\d_]+(?:\([^()\n]*\))?)[ \t]+){0,9}(?<word>class|struct|union|enum|interface|trait|record)[ \t]+(?:(?:class|struct)[ \t]+|[A-Z][A-Z\d_]+(?:\([^()\n]*\))?[ \t]+)?(?<name>[A-Za-z_$][\w$]*)(?=\s*(?:[<:({#]|(?:extends|implements|final|where|with|permits)\b))[^;{}=*]{0,2000}\{/gm

/** Types whose lines are there, but no nodes of the tree. */
function lostTypes(text: string, known: readonly Definition[], closes: Closes): Definition[] {
  const named = new Map<string, Definition[]>()
  for (const definition of known) {
    const name = lastPart(definition.name)
    named.set(name, [...(named.get(name) ?? []), definition])
  }
  return [...text.matchAll(typeHeader)].flatMap(({ 0: header, index: start, groups = {} }) => {
    const { word = '', name = '' } = groups
    const body = start + header.length - 1
    const end = closes.get(body)
    const isKnown = named.get(name)?.some((same) => same.start <= body && same.end > start)
    if (end === undefined || isKnown) return []
    const kind = kindOfWord[word] ?? 'class'
    return [{ name, kind, start, own: start, body, end, parent: -1, isRecovered: true }]
  })
}

const asDefinition = ({ name, start, body, end }: Scanned['functions'][number]): Definition => ({
  name: name.split('::').join('/'),
  kind: 'function',
  start,
  own: start,
  body,
  end,
  parent: -1,
  isRecovered: true,
})

/** Find lost definitions, and the ends of broken ones, by indentation. */
function byHeaders(
  { definitions }: ParsedTree,
  scanned: readonly ScannedHeader[],
  text: string,
): Definition[] {
  const byName = new Map<string, Definition[]>()
  for (const definition of definitions) {
    const name = lastPart(definition.name)
    const same = byName.get(name)
    if (same) same.push(definition)
    else byName.set(name, [definition])
  }
  const ends = new Map<Definition, number>()
  const lost: Definition[] = []
  for (const { name, kind, start, end } of scanned) {
    const same = byName.get(lastPart(name)) ?? []
    const at = lastAtMost(same.length, (index) => lineStart(text, same[index]?.own ?? 0), start)
    const match = same[at]
    if (match && start < Math.max(match.body, match.own + 1)) ends.set(match, end)
    else {
      const brace = text.slice(start, end).indexOf('{')
      const body = brace < 0 ? end : start + brace
      lost.push({ name, kind, start, own: start, body, end, parent: -1, isRecovered: true })
    }
  }
  const retained = definitions.map((definition): Definition => {
    const end = definition.hasError && ends.get(definition)
    return end && end !== definition.end ? { ...definition, end, isRecovered: true } : definition
  })
  return [...retained, ...lost]
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const inOrder = (a: Definition, b: Definition): number => a.start - b.start || b.end - a.end

/** Set the parent of each definition. */
function nested(definitions: readonly Definition[]): Definition[] {
  const open: number[] = []
  const sorted = definitions.toSorted(inOrder)
  return sorted.map((definition, index) => {
    while (open.length > 0 && (sorted[open.at(-1) as number]?.end ?? 0) <= definition.start)
      open.pop()
    const parent = open.at(-1) ?? -1
    open.push(index)
    return { ...definition, parent }
  })
}

function outermost(definitions: readonly Definition[]): Definition[] {
  let end = -1
  return definitions.toSorted(inOrder).filter((definition) => {
    if (definition.start < end) return false
    end = definition.end
    return true
  })
}

/** Spans of the tree, replaced within `ranges` by those of the scanner; both are sorted. */
function replaced(
  parsed: Uint32Array,
  scanned: readonly number[],
  size: number,
  ranges: readonly Definition[],
): Uint32Array {
  const merged = new Uint32Array(parsed.length + scanned.length)
  let length = 0
  let at = 0
  const take = (from: ArrayLike<number>, index: number): void => {
    for (let part = 0; part < size; part++) merged[length++] = from[index + part] as number
  }
  const takeScanned = (until: number): void => {
    for (; at < scanned.length && (scanned[at] as number) < until; at += size)
      if (isWithin(ranges, scanned[at] as number)) take(scanned, at)
  }
  for (let index = 0; index < parsed.length; index += size) {
    const start = parsed[index] as number
    if (isWithin(ranges, start)) continue
    takeScanned(start)
    take(parsed, index)
  }
  takeScanned(Number.POSITIVE_INFINITY)
  return merged.slice(0, length)
}

/** True if a position is in the body of a range; ranges are sorted and do not overlap. */
function isWithin(ranges: readonly Definition[], position: number): boolean {
  const range = ranges[lastAtMost(ranges.length, (at) => ranges[at]?.start ?? 0, position)]
  return range !== undefined && position > range.body && position < range.end
}
