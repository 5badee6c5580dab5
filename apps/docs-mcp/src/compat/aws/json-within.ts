import { replyCap } from '../../reply-cap.ts'

/** JSON with as many results, from the first, as a reply has room for; how many are left out goes in. */
export function jsonWithin<Result>(
  results: readonly Result[],
  envelope: (results: readonly Result[], omitted: number) => unknown,
): string {
  const textOf = (kept: number): string =>
    JSON.stringify(envelope(results.slice(0, kept), results.length - kept))
  const whole = textOf(results.length)
  if (whole.length <= replyCap) return whole
  let fitting = 0
  for (let above = results.length; above - fitting > 1; ) {
    const middle = Math.floor((fitting + above) / 2)
    if (textOf(middle).length <= replyCap) fitting = middle
    else above = middle
  }
  return textOf(fitting)
}

/** A text of at most so many characters, marked where it is cut; null for none. */
export function cut(text: string, most: number): string | null {
  if (text === '' || most === 0) return null
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
