import type { Root } from 'hast'
import type { Page } from '../page.ts'
import { collapse, textOf } from '../tree/text-of.ts'

/** Characters; a page with more text is not searched for text in other places. */
export const maxVisible = 200
/** Words that a page shows until its text is there, or next to it. */
const maxLabel = 3
const otherPlace =
  /<(?:audio|canvas|frameset|iframe|noembed|noframes|noscript|object|script|template|textarea|video)\b/i

/** True for a page that shows almost no text and has places where it may stand instead. */
export const mayHideText = (html: string, visible: string): boolean =>
  visible.length < maxVisible && otherPlace.test(html)

export const isLabel = (visible: string): boolean => wordsIn(visible) <= maxLabel

/** The headings and blocks of a page on one line. Ends soon after `limit` characters. */
export function textOfPage({ sections }: Page, limit: number = Number.POSITIVE_INFINITY): string {
  let text = ''
  for (const { title, level, blocks } of sections) {
    if (level > 0) text += ` ${title}`
    for (const { markdown } of blocks) {
      if (text.length > limit) return text
      text += ` ${markdown}`
    }
  }
  return collapse(text)
}

/** The text of a tree on one line. */
export const textOfTree = (root: Root): string => collapse(textOf(root))

/** Words; a shorter text may be a label or the name of the site. */
const minWords = 8
/** Words of a notice to readers without scripts, or with an old browser. */
const maxNotice = 40
const notice =
  /java ?script|enable scripts?|\bbrowsers?\b|not supported|does not support|needs scripts|loading/i
/** Parts that a script fills in. */
const placeholder = /\{\{|\$\{|<%|%[a-z_]+%/i

/** The number of words; of languages without spaces, pairs of characters. */
export function wordsIn(text: string): number {
  return text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{2}|[\p{L}\p{N}]+/gu)?.length ?? 0
}

/** True for a text that a page may consist of: no label, notice or template. */
export function isText(text: string): boolean {
  const words = wordsIn(text)
  return words >= minWords && !(words <= maxNotice && notice.test(text)) && !placeholder.test(text)
}
