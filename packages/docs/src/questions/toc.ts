import { type Page, subtreeOf, toMarkdown } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { type Excerpt, readExcerpt } from '../excerpt/excerpt.ts'
import { listLength } from '../excerpt/folded-list.ts'
import type { Origin } from '../protocol/origin.ts'
import { changesOf } from '../section/changes.ts'
import { openSection } from '../section/open-page.ts'
import type { Deps } from './deps.ts'
import { type TocEntry, tocSource } from './toc-list.ts'

/** The table of contents of a page, with sizes in characters and estimated tokens. */
export interface Toc {
  url: string
  title: string
  /** Characters and estimated tokens of the whole page with code blocks. */
  characters: number
  tokens: number
  entries: TocEntry[]
  /** The entries as a Markdown list, with lower levels of a long list folded. */
  list: Excerpt
  /** Ids of sections that disappeared since the last read. */
  removed: string[]
  origin: Origin
}

/** One section instead of the whole page, and the token of a page of the list. */
interface TocOptions {
  section?: string | undefined
  page?: string | undefined
}

/**
 * Titles and sizes of the sections of a page or of one section. `page` continues a long list.
 * Sections that changed since the last read are marked; `removed` lists those that disappeared.
 *
 * @throws {DocsError} for an invalid page token, or one of another list.
 */
export async function readToc(
  { reader, store }: Deps,
  url: string,
  { section: name, page: token }: TocOptions = {},
): Promise<Toc> {
  const opened = await openSection(reader, url, name, { byFragment: false })
  const { page, section: below, origin } = opened
  const { sections: changes, removed } = await changesOf(opened, store)
  const sections = below ? subtreeOf(page, below) : page.sections
  const costs = subtreeCosts(page)
  const headed = sections.filter((section) => section.kind !== 'continuation')
  const entries = headed.map(({ id, title, level, kind, parent }): TocEntry => {
    const change = changes.get(id)
    return {
      id,
      title: title || page.title,
      level,
      kind: kind === 'entry' ? 'entry' : 'heading',
      ...(parent !== undefined && { parent }),
      ...(costs.get(id) as Costs),
      ...(change && { change }),
    }
  })
  const source = tocSource(`${page.url}#${below?.id ?? ''}`, entries)
  return {
    url: page.url,
    title: page.title,
    characters: toMarkdown(page).length,
    tokens: [...costs.values()].reduce((sum, { ownTokens }) => sum + ownTokens, 0),
    entries,
    list: readExcerpt(source, { page: token }, listLength),
    removed,
    origin,
  }
}

type Costs = Pick<TocEntry, 'tokens' | 'ownTokens' | 'codeBlocks' | 'tables'>

/** Own costs are added to every ancestor. Children follow parents, so the loop runs backwards. */
function subtreeCosts(page: Page): Map<string, Costs> {
  const costs = new Map<string, Costs>()
  for (const section of page.sections) {
    const ownTokens = estimateTokens(toMarkdown(section))
    costs.set(section.id, {
      tokens: ownTokens,
      ownTokens,
      codeBlocks: section.blocks.filter((block) => block.kind === 'code').length,
      tables: section.blocks.filter((block) => block.kind === 'table').length,
    })
  }
  for (const section of page.sections.toReversed()) {
    const cost = costs.get(section.id)
    const parent = section.parent === undefined ? undefined : costs.get(section.parent)
    if (!cost || !parent) continue
    parent.tokens += cost.tokens
    parent.codeBlocks += cost.codeBlocks
    parent.tables += cost.tables
  }
  return costs
}
