import { maxText } from '../../reply-limit.ts'

/** JSON with the first results that fit a reply, and the number of those left out. */
export function jsonWithin<Result>(
  results: readonly Result[],
  envelope: (results: readonly Result[], omitted: number) => unknown,
): string {
  const textOf = (count: number): string =>
    JSON.stringify(envelope(results.slice(0, count), results.length - count))
  const text = textOf(results.length)
  if (text.length <= maxText) return text
  let fitting = 0
  for (let above = results.length; above - fitting > 1; ) {
    const middle = Math.floor((fitting + above) / 2)
    if (textOf(middle).length <= maxText) fitting = middle
    else above = middle
  }
  return textOf(fitting)
}

/** A text of at most that many characters, marked where it is cut; null without a text. */
export function cut(text: string, most: number): string | null {
  if (text === '' || most === 0) return null
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
