import type { SymbolKind } from '../languages/symbol-kind.ts'

/** A definition found by the parser or the scanner. Positions are UTF-16 offsets. */
export interface Definition {
  /** Parts of a name path, separated by `/`. */
  name: string
  kind: SymbolKind
  /** Start including `export`, decorators and preceding blanks on its line. */
  start: number
  /** Start of the definition itself. */
  own: number
  /** Start of the body; `end` if it has no body. */
  body: number
  end: number
  /** Index of the definition around it, or -1. */
  parent: number
  isPrototype?: true
  /** The node contains a syntax error. */
  hasError?: true
  /** The end was found by the brace scanner. */
  isRecovered?: true
}

/** Number of values per unit. */
export const unitSize = 3

/** The syntax of a file in compact form; the tree would take twenty times as much memory. */
export interface Parsed {
  /**
   * For each statement or member: its start, its end, and the start of its block. Parents before
   * children.
   */
  units: Uint32Array
  /** Start and end of comments and attributes, which belong to the following node, in pairs. */
  leads: Uint32Array
  /** Start and end of multi-line strings and comments, in pairs. */
  tokens: Uint32Array
  hasErrors: boolean
}

/** The syntax of a text that is not parsed. */
export const nothing: Parsed = {
  units: new Uint32Array(),
  leads: new Uint32Array(),
  tokens: new Uint32Array(),
  hasErrors: false,
}

/** What is read from a tree. */
export interface ParsedTree extends Parsed {
  /** In the order of the file, parents before children. */
  definitions: Definition[]
}
