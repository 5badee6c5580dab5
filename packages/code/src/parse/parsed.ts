import type { SymbolKind } from '../languages/symbol-kind.ts'

/** A definition as the parser or the scanner found it. Positions are UTF-16 offsets. */
export interface Definition {
  /** Parts of a name path, separated by `/`. */
  name: string
  kind: SymbolKind
  /** Of all that belongs to it: `export`, decorators, the blanks before it on its line. */
  start: number
  /** Of the definition itself. */
  own: number
  /** Where the body begins; `end` where there is none. */
  body: number
  end: number
  /** Index of the definition it stands in, or -1. */
  parent: number
  isPrototype?: true
  /** The parser did not understand all of it. */
  hasError?: true
  /** The scanner of braces found where it ends. */
  isRecovered?: true
}

/** Numbers a unit takes. */
export const unitSize = 3

/** What is kept of a file's syntax: the tree itself would take twenty times as much. */
export interface Parsed {
  /** By their place in the file, what holds others before them. */
  definitions: Definition[]
  /**
   * Each statement or member: its start, its end, and where the block begins that it stands in.
   * What holds others before them.
   */
  units: Uint32Array
  /** Start and end of comments and attributes, which belong to what follows, in pairs. */
  leads: Uint32Array
  /** Start and end of the strings and comments that have several lines, in pairs. */
  tokens: Uint32Array
  hasErrors: boolean
}
