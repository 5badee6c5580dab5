import type { Piece } from '@pith-mcp/paginator'

/** Pieces end after members at this depth or above. */
const maxDepth = 3
/** Characters. Smaller pieces are joined with the next one. */
const minLength = 200

/** Splits JSON text after members of arrays and objects; the pieces add up to the text. */
export function jsonPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === ',' && depth <= maxDepth && at - from >= minLength) {
      pieces.push({ kind: 'member', text: text.slice(from, at + 1) })
      from = at + 1
    }
  }
  pieces.push({ kind: 'member', text: text.slice(from) })
  return pieces
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
