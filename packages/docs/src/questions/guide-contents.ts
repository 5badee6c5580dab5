import { createContent } from '@pith-mcp/paginator'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { Contents } from '../site-search/port/site.ts'
import { type Excerpt, type ReadOptions, readExcerpt } from './excerpt.ts'
import { tocLength } from './toc-list.ts'

export interface GuideContents extends Excerpt {
  /** Of the list. */
  url: string
  /** Of the guide, or of the part that was asked for, in order. */
  pages: Contents['pages']
  /** Pages that stand below those that are listed, as numbers behind them. */
  folded: number
  /** There are pages that could not be listed. */
  more: boolean
}

export interface GuideOptions extends Pick<ReadOptions, 'page'> {
  /** Only what stands below this page: its title, its address or the end of it. */
  below?: string
}

/** A list folded to less than this says nothing; it goes on over several pages instead. */
const leastLines = 10

/**
 * The contents of a guide as a nested list of Markdown: titles with their addresses, lower levels folded
 * where it would be long. What is still too long is paged.
 */
export function guideContents(
  { url, pages, more }: Contents,
  { below, page }: GuideOptions,
): GuideContents {
  const wanted = below === undefined ? pages : partBelow(pages, below)
  const top = Math.min(...wanted.map(({ level }) => level))
  let deepest = Math.max(...wanted.map(({ level }) => level))
  let lines = linesOf(wanted, top, deepest, url)
  while (deepest > top && lines.join('').length > tocLength) {
    const fewer = linesOf(wanted, top, deepest - 1, url)
    if (fewer.length < leastLines) break
    lines = fewer
    deepest--
  }
  const source = {
    resource: `${url} ${below ?? ''}`,
    content: createContent(lines.map((text) => ({ kind: 'text', text }))),
    codeBlocksOmitted: 0,
  }
  return {
    url,
    pages: wanted,
    folded: wanted.length - lines.length,
    more,
    ...readExcerpt(source, page === undefined ? {} : { page }, tocLength),
  }
}

function linesOf(pages: Contents['pages'], top: number, deepest: number, url: string): string[] {
  const base = new URL('.', url).href
  const lines: string[] = []
  let hidden = 0
  const note = (): void => {
    const last = lines.pop()
    if (last !== undefined) lines.push(hidden > 0 ? `${last.trimEnd()} +${hidden}\n` : last)
    hidden = 0
  }
  for (const { url: page, title, level } of pages) {
    if (level > deepest) {
      hidden++
      continue
    }
    note()
    const name = page.startsWith(base) ? page.slice(base.length) : page
    lines.push(`${'  '.repeat(level - top)}- ${title}${name === '' ? '' : ` (${name})`}\n`)
  }
  note()
  return lines
}

/** A page of the guide and those below it. */
function partBelow(pages: Contents['pages'], name: string): Contents['pages'] {
  const key = name.trim().toLowerCase()
  const at = pages.findIndex(
    ({ url, title }) =>
      url === name.trim() || title.toLowerCase() === key || url.toLowerCase().endsWith(`/${key}`),
  )
  const first = pages[at]
  if (!first)
    throw new DocsError(
      'section_not_found',
      `The guide has no page ${quoteValue(name)}.`,
      'Pass a title or the name of a page from the contents of the guide.',
    )
  const after = pages.slice(at + 1)
  const end = after.findIndex(({ level }) => level <= first.level)
  return [first, ...(end < 0 ? after : after.slice(0, end))]
}
