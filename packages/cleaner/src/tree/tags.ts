import type { Element } from 'hast'
import { wordsOf } from './word-lists.ts'

/** True for an element with one of the tags of a list. */
export function isTag(list: string): (element: Element) => boolean {
  const tags = wordsOf(list)
  return ({ tagName }) => tags.has(tagName)
}

export const blockTags: ReadonlySet<string> = wordsOf(
  `address article aside blockquote body caption center dd details dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol
  p plaintext pre section summary table tbody td tfoot th thead tr ul xmp`,
)
export const isBlock = ({ tagName }: Element): boolean => blockTags.has(tagName)

/** Tags of inline code. */
export const codeTags: ReadonlySet<string> = wordsOf('code kbd samp tt')
export const isCode = ({ tagName }: Element): boolean => codeTags.has(tagName)

export const isHeading: (element: Element) => boolean = isTag('h1 h2 h3 h4 h5 h6')
export const isHeadingOrTerm: (element: Element) => boolean = isTag('h1 h2 h3 h4 h5 h6 dt')
export const isLink: (element: Element) => boolean = isTag('a')
