import { DocsError, quoteValue } from '#formats/docs-error'
import type { Contents } from '#sites/site-search/port/site'
import { type Excerpt, type ReadOptions, readExcerpt } from '../excerpt/excerpt.ts'
import { foldedList, listLength } from '../excerpt/folded-list.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Deps } from './deps.ts'

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

interface GuideOptions extends Pick<ReadOptions, 'page'> {
  /** Only pages below this one, by its title, its URL or the end of its URL. */
  below?: string | undefined
}

/** A list with fewer lines is not folded further. */
const minLines = 10

/**
 * The pages of the guide of a page, or of a list, as a nested Markdown list of titles and URLs;
 * undefined for a site without lists.
 */
export async function readContents(
  { sites }: Deps,
  address: string,
  { below, page, signal }: GuideOptions & CallOptions = {},
): Promise<GuideContents | undefined> {
  const contents = await sites.at(address)?.site.contents?.(address, signal)
  if (!contents) return undefined
  const { url, pages, more } = contents
  const shownPages = below === undefined ? pages : partBelow(pages, below)
  const top = Math.min(...shownPages.map(({ level }) => level))
  const base = new URL('.', url).href
  const items = shownPages.map(({ url: place, title, level }) => {
    const name = place.startsWith(base) ? place.slice(base.length) : place
    return { depth: level - top, text: `${title}${name === '' ? '' : ` (${name})`}` }
  })
  const { source, folded } = foldedList(`${url} ${below ?? ''}`, items, minLines)
  const excerpt = readExcerpt(source, { page }, listLength)
  return { url, pages: shownPages, folded, more, ...excerpt }
}

/** True for the URL of a list of the pages of a guide. */
export const isContents = ({ sites }: Deps, url: string): boolean =>
  sites.at(url)?.site.isContents?.(url) ?? false

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
