import { owned } from './hast-properties.ts'

const slots = 4096
const maxLength = 32

/** One name for each slot; a later one takes its place. */
const names: (string | undefined)[] = new Array(slots).fill(undefined)

/**
 * The name of a tag or an attribute at a position of the document, in lower case. There are few
 * names, so almost all are found without a new string.
 */
export function nameAt(source: string, start: number, end: number): string {
  let slot = 0
  for (let index = start; index < end; index++)
    slot = (slot * 31 + source.charCodeAt(index)) & (slots - 1)
  const known = names[slot]
  if (known !== undefined && known.length === end - start && source.startsWith(known, start))
    return known
  const written = source.slice(start, end)
  const name = inLowerCase(written)
  if (name === written && name.length <= maxLength) names[slot] = owned(name)
  return name
}

/** Only ASCII letters: that is how names compare in HTML. */
const inLowerCase = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
