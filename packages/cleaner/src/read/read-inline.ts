import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { stringProperty } from '../tree/properties.ts'
import { isLink } from '../tree/tags.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { byWord, wordsOf } from '../tree/word-lists.ts'

/** Tags of emphasis, and the usual ones for them. */
export const emphasis: ReadonlyMap<string, 'strong' | 'em' | 'del'> = byWord([
  ['b strong', 'strong'],
  ['em i', 'em'],
  ['del s strike', 'del'],
])
export const unseenTags: ReadonlySet<string> = wordsOf('noembed script style template')

/** The alternative text of an image, unless it is a file name. */
export function alternativeOf(image: Element): string | undefined {
  const alternative = collapse(stringProperty(image, 'alt') ?? '')
  return alternative === '' || saysNothing.test(alternative) ? undefined : alternative
}

/** The name of a file, or of what kind of picture it is. */
const saysNothing =
  /^(?:\S+\.(?:png|jpe?g|gif|svg|webp)|(?:an? )?(?:diagram|figure|graphic|icon|illustration|image|img|logo|photo|picture|screen ?shot|thumbnail)s?(?: \d+)?|画像|図|アイコン|ロゴ|スクリーンショット)$/i

/** True for an exponent after the text `before`; note references and ordinals are text. */
export function isPower(superscript: Element, before: string): boolean {
  const text = textOf(superscript).trim()
  const isOrdinal = /^(?:st|nd|rd|th|tm|r|c|er|e|o|a)$/i.test(text)
  return (
    /^[-+−]?\s*[\p{L}\p{N}]{1,6}$/u.test(text) &&
    /[\p{N})\]a-z]$/iu.test(before) &&
    !isOrdinal &&
    !hasBelow(superscript, isLink)
  )
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
