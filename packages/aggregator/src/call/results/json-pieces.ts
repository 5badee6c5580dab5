import type { Piece } from '@pith-mcp/paginator'

/** Members that deep and above are best kept whole. */
const deepest = 3
/** A smaller piece is joined with the next. */
const smallest = 200

/** JSON text in pieces that end after a member of an array or object; together they are the text. */
export function jsonPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === ',' && depth <= deepest && at - from >= smallest) {
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
