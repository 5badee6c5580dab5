import { type Region, scanRegions } from './scan-regions.ts'

/**
 * A part of the content that should not be cut, such as a paragraph with the following blank line.
 */
export interface Piece {
  /** `heading` stays with the following piece; other names are free. */
  kind: string
  text: string
}

/** Text prepared for paging. Positions are UTF-16 offsets into `text`. */
export interface Content {
  readonly text: string
  /** Starts of the pieces, ascending. */
  readonly starts: readonly number[]
  readonly kinds: readonly string[]
  /** Fences and tables, ascending. */
  readonly regions: readonly Region[]
}

/** Join pieces into one content and find its fences and tables. Linear in its length. */
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
