import type { Language } from '../languages/language.ts'
import type { SymbolKind } from '../languages/symbol-kind.ts'
import { nothing, type Parsed } from '../parse/parsed.ts'
import {
  column,
  flagBits,
  isBelow,
  isRecovered,
  rowSize,
  type SymbolTable,
} from '../parse/symbol-table.ts'
import { inTurns } from '../text/in-turns.ts'
import { createLines, type Lines } from '../text/lines.ts'

/** A function, class or other definition of a file. Positions are UTF-16 offsets. */
export interface CodeSymbol {
  name: string
  /** Name path without a number: `Class/method`. */
  bare: string
  /** The name path; followed by `[0]`, `[1]` … if several symbols of the file share it. */
  path: string
  kind: SymbolKind
  /** Start of its first line, or of the symbol if other text precedes it on the line. */
  start: number
  /** Start of the body; `end` if it has no body. */
  body: number
  end: number
  /** A declaration without a body. */
  isDeclaration: boolean
  /** Index of the symbol around it, or -1. */
  parent: number
  /** `recovered`: the parser failed, and the end was found by counting braces. */
  extent: 'parsed' | 'recovered'
  /** Estimated tokens of the whole symbol. */
  tokens: number
}

/** The symbols of a table, in turns: there may be 100,000 of them. */
async function symbolsOf(
  { rows, names, kinds }: SymbolTable,
  areValues = false,
): Promise<CodeSymbol[]> {
  const symbols: CodeSymbol[] = new Array(rows.length / rowSize)
  let at = 0
  await inTurns(symbols, (_, index) => {
    const value = (place: number): number => rows[index * rowSize + place] as number
    const segment = names.slice(at, at + value(column.path))
    at += segment.length
    const parent = value(column.parent) - 1
    const code = value(column.kind)
    const bare = code & isBelow ? `${symbols[parent]?.bare}/${segment}` : segment
    const number = value(column.number)
    symbols[index] = {
      name: segment.slice(segment.length - value(column.name)),
      bare,
      path: number === 0 ? bare : `${bare}[${number - 1}]`,
      kind: kinds[code >> flagBits] as SymbolKind,
      start: value(column.start),
      body: value(column.body),
      end: value(column.end),
      isDeclaration: !areValues && value(column.body) >= value(column.end),
      parent,
      extent: code & isRecovered ? 'recovered' : 'parsed',
      tokens: value(column.tokens),
    }
  })
  return symbols
}

export interface SourceFile {
  /** Relative to its root, with `/`. */
  path: string
  text: string
  lines: Lines
  language?: Language
  symbols: readonly CodeSymbol[]
  /** Constants, variables, fields and other definitions that outlines do not list. */
  values: readonly CodeSymbol[]
  parsed: Parsed
  /** Why the file was not parsed; absent if it was. */
  unparsed?: string
}

export async function createSourceFile(
  path: string,
  text: string,
  syntax: {
    language?: Language
    parsed?: Parsed
    symbols?: SymbolTable
    values?: SymbolTable
    unparsed?: string
  },
): Promise<SourceFile> {
  const { parsed = nothing, symbols, values, language, unparsed } = syntax
  return {
    path,
    text,
    lines: createLines(text),
    symbols: symbols ? await symbolsOf(symbols) : [],
    values: values ? await symbolsOf(values, true) : [],
    parsed,
    ...(language && { language }),
    ...(unparsed !== undefined && { unparsed }),
  }
}
