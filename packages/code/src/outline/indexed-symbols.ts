import type { Outlines } from '../parse/parse-text.ts'

/** The symbols of a file as they were at its stamp. */
export interface IndexedSymbols {
  stamp: string
  outlines: Outlines
}
