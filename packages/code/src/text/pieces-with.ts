/** Start and end of the pieces of a text that have a part. Each piece is between two marks. */
export function piecesWith(
  text: string,
  part: string,
  mark: string,
): [start: number, end: number][] {
  const found: [number, number][] = []
  for (let at = text.indexOf(part, 1); at >= 0 && at < text.length - 1; ) {
    const end = text.indexOf(mark, at)
    found.push([text.lastIndexOf(mark, at) + 1, end])
    at = text.indexOf(part, end)
  }
  return found
}
