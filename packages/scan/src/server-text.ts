import { hiddenInText } from './hidden.ts'

const open = '<server-text>'
const close = '</server-text>'
const withheld =
  'a text that is withheld, because it has hidden characters or text in a code; an operator reads it in the console, in `aggregator-mcp status`, or with --stderr in the log'

/** Text of a server in a sentence of ours, between tags that it cannot contain. */
export const fenced = (text: string): string =>
  `${open}${text.replace(/<(?=\/?server-text)/gi, '‹')}${close}`

/** For people: a sentence without the tags. */
export const withoutFence = (text: string): string =>
  text.replaceAll(open, '').replaceAll(close, '')

/** An error text of a server as a reply gives it: between tags, or withheld. */
export const serverError = (text: string): string => forModel(fenced(text))

/** The text unchanged, unless it hides something. */
export const scanned = (text: string): string => forModel(text)

/** A sentence for a model, which may contain fenced text: cut to `max` characters, or withheld. */
export function forModel(text: string, max = Number.POSITIVE_INFINITY): string {
  if (hiddenInText(text).length > 0) return withheld
  if (text.length <= max) return text
  const cut = `${text.slice(0, max)}…`
  return cut.lastIndexOf(open) > cut.lastIndexOf(close) ? cut + close : cut
}
