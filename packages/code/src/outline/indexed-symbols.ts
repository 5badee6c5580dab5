import type { Outlines } from '../parse/symbol-table.ts'

/** The symbols of a file as they were at its stamp. */
export interface IndexedSymbols {
  stamp: string
  outlines: Outlines
}
