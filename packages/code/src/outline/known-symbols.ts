import type { SymbolTable } from '../parse/symbol-table.ts'

/** The symbols of a file as they were at its stamp, or why there are none. */
export interface KnownSymbols {
  stamp: string
  table?: SymbolTable
  unparsed?: string
}
