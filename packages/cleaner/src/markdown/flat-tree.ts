import type { Node } from 'unist'
import type { Block } from '../page.ts'

/** A page as one run of headings, terms and blocks: what the Markdown step leaves behind. */
export interface FlatRoot extends Node {
  type: 'flatRoot'
  children: FlatNode[]
}

export type FlatNode = FlatHeading | FlatEntry | FlatEntryEnd | FlatAnchor | FlatBlock

export interface FlatHeading extends Node {
  type: 'flatHeading'
  level: number
  id: string | undefined
  aliases: readonly string[]
  title: string
}

/** Opens the description of a term; everything up to its `flatEntryEnd` describes it. */
export interface FlatEntry extends Node {
  type: 'flatEntry'
  id: string | undefined
  aliases: readonly string[]
  title: string
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
