import type { Budget } from './budget.ts'
import { type Content, createContent, type Piece } from './content.ts'
import { type ContentPage, pageAt } from './page-at.ts'

/**
 * All pages of a content, each of at most `budget` characters, tokens or lines. Without their
 * repeated parts they concatenate to the content, byte for byte.
 */
export function paginate(
  content: Content | readonly Piece[] | string,
  budget: Budget,
): ContentPage[] {
  const source =
    typeof content === 'object' && 'regions' in content ? content : createContent(content)
  const pages = [pageAt(source, 0, budget)]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
    pages.push(pageAt(source, next, budget))
  return pages
}
