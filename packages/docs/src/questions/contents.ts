import { createContent } from '@pith-mcp/paginator'
import { type Excerpt, type ReadOptions, readExcerpt } from '../excerpt/excerpt.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { Contents } from '../site-search/port/site.ts'
import { tocLength } from './toc-list.ts'

/** The pages of a guide, as its table of contents lists them. */
export interface GuideContents extends Excerpt {
  /** URL of the list. */
  url: string
  /** Pages of the guide, or of the requested part, in order. */
  pages: Contents['pages']
  /** Pages below listed ones that are not listed themselves, only counted. */
  folded: number
  /** True if some pages could not be listed. */
  more: boolean
}

export interface GuideOptions extends Pick<ReadOptions, 'page'> {
  /** Only pages below this one, by its title, its URL or the end of its URL. */
  below?: string | undefined
}

/** A list with fewer lines is not folded further but paged. */
const minLines = 10

/** The pages of the guide of a page, or of a list; undefined for a site without lists. */
export async function readContents(
  sites: Sites,
  url: string,
  { signal, ...options }: GuideOptions & CallOptions = {},
): Promise<GuideContents | undefined> {
  const contents = await sites.at(url)?.site.contents?.(url, signal)
  return contents && guideContents(contents, options)
}

/**
 * The contents of a guide as a nested Markdown list of titles and URLs. Lower levels of a long list
 * are folded; a list that is still too long is paged.
 */
function guideContents(
  { url, pages, more }: Contents,
  { below, page }: GuideOptions,
): GuideContents {
  const shownPages = below === undefined ? pages : partBelow(pages, below)
  const top = Math.min(...shownPages.map(({ level }) => level))
  let maxDepth = Math.max(...shownPages.map(({ level }) => level))
  let lines = linesOf(shownPages, top, maxDepth, url)
  while (maxDepth > top && lines.join('').length > tocLength) {
    const fewer = linesOf(shownPages, top, maxDepth - 1, url)
    if (fewer.length < minLines) break
    lines = fewer
    maxDepth--
  }
  const source = {
    resource: `${url} ${below ?? ''}`,
    content: createContent(lines.map((text) => ({ kind: 'text', text }))),
    codeBlocksOmitted: 0,
  }
  return {
    url,
    pages: shownPages,
    folded: shownPages.length - lines.length,
    more,
    ...readExcerpt(source, { page }, tocLength),
  }
}

function linesOf(pages: Contents['pages'], top: number, maxDepth: number, url: string): string[] {
  const base = new URL('.', url).href
  const lines: string[] = []
  let hidden = 0
  const note = (): void => {
    const last = lines.pop()
    if (last !== undefined) lines.push(hidden > 0 ? `${last.trimEnd()} +${hidden}\n` : last)
    hidden = 0
  }
  for (const { url: page, title, level } of pages) {
    if (level > maxDepth) {
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
      `The guide has no page named ${quoteValue(name)}.`,
      'Pass a title or the end of a URL from the contents of the guide.',
    )
  const after = pages.slice(at + 1)
  const end = after.findIndex(({ level }) => level <= first.level)
  return [first, ...(end < 0 ? after : after.slice(0, end))]
}
