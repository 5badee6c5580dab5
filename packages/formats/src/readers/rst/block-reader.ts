import type { Counts } from '../../parts/counts.ts'
import type { RstText } from './rst-text.ts'

/** What directives need to read what is in them. */
export interface BlockReader {
  counts: Counts
  text: RstText
  /** Of code that declares none. */
  language: string
  /** The HTML of lines, which are indented alike. */
  blocks(lines: readonly string[]): string
}
