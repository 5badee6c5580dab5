import { scaleTokens } from '@pith-mcp/paginator'
import type { SymbolKind } from '../languages/symbol-kind.ts'
import { measureText } from '../text/page-size.ts'
import type { Definition, Parsed } from './parsed.ts'

/**
 * The named symbols of a file in columns: to receive a copy of them takes the other thread a time
 * that does not depend on their number, as the copy of as many objects would.
 */
export interface SymbolTable {
  /** {@link rowSize} values per symbol, in the order of the file, parents before children. */
  rows: Uint32Array
  /** The name paths, one after another. */
  names: string
  /** Kinds, by the number in a row. */
  kinds: readonly SymbolKind[]
}

/** The syntax of a text, or the reason for its absence, to follow a colon. */
export type ParseOutcome = ({ parsed: Parsed } & Outlines) | { unparsed: string }
export type OutlineOutcome = Outlines | { unparsed: string }

/** An `unparsed` that is not kept: another try may find symbols. */
export const timedOut = 'parsing timed out'

/** What a file defines. */
export interface Outlines {
  /** Functions and types. */
  symbols: SymbolTable
  /** Constants, variables, fields and the like. */
  values: SymbolTable
}

/** The symbols of a file as they were at its stamp. */
export interface IndexedSymbols {
  stamp: string
  outlines: Outlines
}

/** Number of values per symbol. */
export const rowSize = 9

type Column = 'start' | 'body' | 'end' | 'parent' | 'path' | 'name' | 'number' | 'kind' | 'tokens'

/** The places of the values in a row. Positions are UTF-16 offsets. */
export const column: Readonly<Record<Column, number>> = {
  start: 0,
  body: 1,
  end: 2,
  /** Index of the symbol around it, plus 1; 0 for none. */
  parent: 3,
  /** Length of its part of the names. */
  path: 4,
  /** Length of its name, with which its path ends. */
  name: 5,
  /** Among the symbols with the same path, from 1; 0 if there is only one. */
  number: 6,
  /** Number of its kind, above the flags. */
  kind: 7,
  /** Estimated tokens. */
  tokens: 8,
}

/** The path in the names is to follow that of the symbol around it. */
export const isBelow = 1
/** The end was found by counting braces. */
export const isRecovered = 2
/** Flags take this many bits. */
export const flagBits = 2

/** The name of each symbol, and the index of that around it, or -1. */
export function namesOf({ rows, names }: SymbolTable): { name: string; parent: number }[] {
  let end = 0
  return Array.from({ length: rows.length / rowSize }, (_, index) => {
    const value = (place: number): number => rows[index * rowSize + place] as number
    end += value(column.path)
    return { name: names.slice(end - value(column.name), end), parent: value(column.parent) - 1 }
  })
}

/** Definitions with their name paths; without the text, their tokens are 0. */
export function nameSymbols(definitions: readonly Definition[], text?: string): SymbolTable {
  const { indexes, paths } = keptPaths(definitions)
  const totals = new Map<string, number>()
  for (const index of indexes) {
    const path = paths[index] as string
    totals.set(path, (totals.get(path) ?? 0) + 1)
  }
  const tokensOf = text !== undefined && indexes.length > 0 ? tokenCounter(text) : () => 0
  const places = new Map(indexes.map((index, place) => [index, place]))
  const counts = new Map<string, number>()
  const kinds: SymbolKind[] = []
  const names: string[] = []
  const rows = new Uint32Array(indexes.length * rowSize)
  indexes.forEach((index, place) => {
    const definition = definitions[index] as Definition
    const path = paths[index] as string
    const parent = places.get(definition.parent) ?? -1
    const holder = parent < 0 ? undefined : kinds[kindAt(rows, parent)]
    const isInside = holder !== undefined && !isAside(holder) && !isAside(definition.kind)
    const segment = isInside ? definition.name : path
    const number = (counts.get(path) ?? 0) + 1
    counts.set(path, number)
    const { start, body, end } = definition
    names.push(segment)
    rows.set(
      [
        start,
        body,
        end,
        parent + 1,
        segment.length,
        lastPart(definition.name).length,
        totals.get(path) === 1 ? 0 : number,
        (numberOf(kinds, kindOf(definition, holder)) << flagBits) |
          (isInside ? isBelow : 0) |
          (definition.isRecovered ? isRecovered : 0),
        tokensOf(start, end),
      ],
      place * rowSize,
    )
  })
  return { rows, names: names.join(''), kinds }
}

/** The name path of each definition, and the indices of those that are symbols. */
function keptPaths(definitions: readonly Definition[]): { indexes: number[]; paths: string[] } {
  const bare: string[] = []
  for (const { name, parent } of definitions)
    bare.push(parent < 0 ? name : `${bare[parent]}/${name}`)
  const bodied = new Set(bare.filter((_, index) => !definitions[index]?.isPrototype))
  const indexes = [...definitions.keys()].filter(
    (index) => !definitions[index]?.isPrototype || !bodied.has(bare[index] as string),
  )
  const paths = bare.map((path, index) => {
    const { kind } = definitions[index] as Definition
    return isAside(kind) ? `${kind} ${path}` : path
  })
  return { indexes, paths }
}

/** It contains the methods of a type, but the name of the type does not mean it. */
const isAside = (kind: SymbolKind): boolean => kind === 'impl' || kind === 'extension'

const kindAt = (rows: Uint32Array, place: number): number =>
  (rows[place * rowSize + column.kind] as number) >> flagBits

function numberOf(kinds: SymbolKind[], kind: SymbolKind): number {
  const at = kinds.indexOf(kind)
  return at < 0 ? kinds.push(kind) - 1 : at
}

/** The last part of a name path; `/` may also be an operator or part of one. */
const lastPart = (path: string): string =>
  !path.includes('/')
    ? path
    : (/(?:^|\/)((?:operator ?)?[^\p{L}\p{N}_/]*\/[^\p{L}\p{N}_]*|[^/]+)$/u.exec(path)?.[1] ?? path)

const holders: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'impl',
  'extension',
])

function kindOf({ kind, name }: Definition, holder: SymbolKind | undefined): SymbolKind {
  if (name === 'constructor' && kind === 'method') return 'constructor'
  const isMember = name.includes('/') || (holder !== undefined && holders.has(holder))
  return kind === 'function' && isMember ? 'method' : kind
}

/** The tokens of longer texts are estimated from samples. */
const maxCountedLength = 2_000_000
const samples = 8
const sampleLength = 16_384

/** Estimated tokens between two offsets. */
function tokenCounter(text: string): (start: number, end: number) => number {
  if (text.length > maxCountedLength) {
    const step = Math.floor(text.length / samples)
    const parts = Array.from({ length: samples }, (_, at) =>
      text.slice(at * step, at * step + sampleLength),
    ).join('')
    const rate = (scaleTokens(parts).tokens.at(-1) ?? 0) / parts.length
    return (start, end) => Math.ceil((end - start) * rate)
  }
  const { between } = measureText(text, 'tokens')
  return (start, end) => Math.ceil(between(start, end))
}
