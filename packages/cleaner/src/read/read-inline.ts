import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { isTerm } from '../tree/indices.ts'
import { stringProperty } from '../tree/properties.ts'
import { isLink } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { byWord, wordsOf } from '../tree/word-lists.ts'

/** Tags of emphasis, and the usual ones for them. */
export const emphasis: ReadonlyMap<string, 'strong' | 'em' | 'del'> = byWord([
  ['b strong', 'strong'],
  ['em i', 'em'],
  ['del s strike', 'del'],
])
export const unseenTags: ReadonlySet<string> = wordsOf('noembed script style template')

/** What stands before and after an exponent that follows `before`; note references and ordinals are text. */
export function powerMarks(superscript: Element, before: string): [start: string, end: string] {
  const text = textOf(superscript).trim()
  const isOrdinal = /^(?:st|nd|rd|th|tm|r|c|er|e|o|a)$/i.test(text)
  if (!/[\p{N})\]a-z]$/iu.test(before) || isOrdinal || hasBelow(superscript, isLink))
    return ['', '']
  if (/^[-+−]?\s*[\p{L}\p{N}]{1,6}$/u.test(text)) return ['^', '']
  return isTerm.test(text) ? ['^{', '}'] : ['', '']
}

/** The URL of a link to another page, with white space and parentheses encoded. */
export function addressOf(link: Element, base: string | undefined): string | undefined {
  const href = stringProperty(link, 'href')
  if (!href || href.startsWith('#') || isScript.test(href)) return undefined
  const address = base !== undefined && URL.canParse(href, base) ? new URL(href, base).href : href
  return address.replace(/[\s()]/g, percentEncoded)
}

/** Schemes that contain code or data instead of a location. */
const isScript = /^\s*(?:javascript|vbscript|data):/i

/** White space and parentheses would end a Markdown link. */
const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

/** `[x]` or `[ ]` for a checkbox; nothing for any other input. */
export const checkboxOf = ({ properties: { type, checked } }: Element): string[] =>
  type === 'checkbox' ? [checked ? '[x] ' : '[ ] '] : []

/** The base of relative links: the page, or its `<base>`. */
export function linkBase(base: string | undefined, url: string | undefined): string | undefined {
  const resolved = base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : ''
  return /^(?:https?|file):/.test(resolved) ? resolved : url
}
