import type { Node } from 'unist'
import type { Block } from '../page.ts'

/** A page as a flat list of headings, terms and blocks: the output of the Markdown step. */
export interface FlatRoot extends Node {
  type: 'flatRoot'
  children: FlatNode[]
}

/** One item of a flat tree: a heading, an anchor, a block, or the start or end of an entry. */
export type FlatNode = FlatHeading | FlatEntry | FlatEntryEnd | FlatAnchor | FlatBlock

interface Titled extends Node {
  id: string | undefined
  aliases: readonly string[]
  title: string
}

export interface FlatHeading extends Titled {
  type: 'flatHeading'
  level: number
}

/** Opens the description of a term, which ends at its `flatEntryEnd`. */
export interface FlatEntry extends Titled {
  type: 'flatEntry'
}

interface FlatEntryEnd extends Node {
  type: 'flatEntryEnd'
}

/** A fragment in the middle of a section. */
interface FlatAnchor extends Node {
  type: 'flatAnchor'
  id: string
}

interface FlatBlock extends Node {
  type: 'flatBlock'
  block: Block
}
