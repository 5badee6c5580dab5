import { type Region, scanRegions } from './scan-regions.ts'

/** A part of the content that is best not cut, such as a paragraph with the blank line after it. */
export interface Piece {
  /** `heading` is kept with what follows it; any other name is the caller's own. */
  kind: string
  text: string
}

/** Text prepared for paging. Positions are UTF-16 offsets into `text`. */
export interface Content {
  readonly text: string
  /** Where each piece begins, ascending. */
  readonly starts: readonly number[]
  readonly kinds: readonly string[]
  /** Fences and tables, ascending. */
  readonly regions: readonly Region[]
}

/** Join pieces to one content and find the fences and tables in it; linear in its length. */
export function createContent(pieces: readonly Piece[] | string): Content {
  const list = typeof pieces === 'string' ? [{ kind: 'text', text: pieces }] : pieces
  const starts: number[] = []
  const regions: Region[] = []
  let position = 0
  for (const { text } of list) {
    starts.push(position)
    for (const region of scanRegions(text, position)) regions.push(region)
    position += text.length
  }
  return {
    text: list.map((piece) => piece.text).join(''),
    starts,
    kinds: list.map((piece) => piece.kind),
    regions,
  }
}
