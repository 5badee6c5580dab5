import type { Page } from '../page.ts'
import { collapse } from '../tree/text-of.ts'

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
