/** Pieces end after members at this depth or above. */
const maxDepth = 3
/** Characters. Smaller pieces are joined with the next one. */
const minLength = 200

/** Where pages of JSON text may begin: after members of arrays and objects, up to `until`. */
export function memberStarts(text: string, until: number): number[] {
  const starts = [0]
  let depth = 0
  let from = 0
  for (let at = 0; at < until; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === ',' && depth <= maxDepth && at - from >= minLength) {
      from = at + 1
      starts.push(from)
    }
  }
  return starts
}

/** The quote that ends the text which begins at `start`, or the end of the whole. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
