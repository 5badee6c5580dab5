import { type Page, type Section, subtreeOf, toMarkdown } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { type Excerpt, readExcerpt } from './excerpt.ts'
import { type TocEntry, tocLength, tocSource } from './toc-list.ts'

export interface Toc {
  url: string
  title: string
  /** Of the whole page with code blocks. */
  characters: number
  tokens: number
  entries: TocEntry[]
  /** The entries as a list of Markdown, lower levels folded where it would be long. */
  list: Excerpt
}

/**
 * Titles, ids and costs of a page's sections, or of those below one section.
 *
 * @throws {DocsError} for a page token that is none, or of another list.
 */
export function tocOf(
  page: Page,
  below?: Section,
  pageToken?: string,
  changes: ReadonlyMap<string, 'changed' | 'new'> = new Map(),
): Toc {
  const markdown = toMarkdown(page)
  const shown = below ? subtreeOf(page, below) : page.sections
  const entries = entriesOf(shown, page, changes)
  const source = tocSource(`${page.url}#${below?.id ?? ''}`, entries)
  return {
    url: page.url,
    title: page.title,
    characters: markdown.length,
    tokens: estimateTokens(markdown),
    entries,
    list: readExcerpt(source, pageToken === undefined ? {} : { page: pageToken }, tocLength),
  }
}

function entriesOf(
  sections: readonly Section[],
  page: Page,
  changes: ReadonlyMap<string, 'changed' | 'new'>,
): TocEntry[] {
  const costs = subtreeCosts(page)
  return sections
    .filter((section) => section.kind !== 'continuation')
    .map((section) => ({
      id: section.id,
      title: section.title || page.title,
      level: section.level,
      kind: section.kind === 'entry' ? 'entry' : 'heading',
      ...(section.parent !== undefined && { parent: section.parent }),
      ...(costs.get(section.id) as Costs),
      ...changeOf(changes.get(section.id)),
    }))
}

const changeOf = (change: TocEntry['change']): Pick<TocEntry, 'change'> =>
  change === undefined ? {} : { change }

interface Costs {
  tokens: number
  ownTokens: number
  codeBlocks: number
  tables: number
}

/** Own costs added to every section around; children come after parents, so walk backwards. */
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
    const own = costs.get(section.id)
    const parent = section.parent === undefined ? undefined : costs.get(section.parent)
    if (!own || !parent) continue
    parent.tokens += own.tokens
    parent.codeBlocks += own.codeBlocks
    parent.tables += own.tables
  }
  return costs
}
