import type { Outlines } from '../parse/parse-text.ts'

/** The symbols of a file as they were at its stamp, or why it was not parsed. */
export interface IndexedSymbols {
  stamp: string
  outlines?: Outlines
  unparsed?: string
}
