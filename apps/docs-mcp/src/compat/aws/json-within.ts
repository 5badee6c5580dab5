import { replyCap } from '../../reply-cap.ts'

/** JSON with as many results, from the first, as a reply has room for; how many are left out goes in. */
export function jsonWithin<Result>(
  results: readonly Result[],
  envelope: (results: readonly Result[], omitted: number) => unknown,
): string {
  for (let kept = results.length; ; kept--) {
    const text = JSON.stringify(envelope(results.slice(0, kept), results.length - kept))
    if (text.length <= replyCap || kept === 0) return text
  }
}

/** A text of at most so many characters, marked where it is cut; null for none. */
export function cut(text: string, most: number): string | null {
  if (text === '' || most === 0) return null
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
