import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { resolveLength } from '@pith-mcp/paginator'
import { createSectionRanker, termsOf } from '@pith-mcp/scorer'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { checkQuery } from './check-query.ts'
import { createSource, type Excerpt, type ReadOptions } from './excerpt.ts'
import { type Passages, readPassages, tellingTerms } from './passages.ts'
import { shareAmong } from './share-room.ts'

export interface FindOptions extends Pick<ReadOptions, 'maxLength' | 'includeCodeBlocks'> {
  /** 1–10, default 3. */
  maxSections?: number
}

export interface FoundSection {
  id: string
  title: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  score: number
  reasons: string[]
  /** The section, or the part of it that begins where the words stand. */
  excerpt: Excerpt
  /** Short parts with words of the query that `excerpt` lacks, at most five. */
  further: Excerpt[]
  /** Terms of the query that the section has elsewhere. */
  missing: string[]
  /** Code blocks are in full: words of the query stand nowhere else, or code was asked for. */
  includesCode: boolean
}

export interface Found {
  url: string
  title: string
  query: string
  /** Sections that match, shown or not. */
  matches: number
  /** Sections of the page. */
  searched: number
  sections: FoundSection[]
}

/** The sections of a page that answer a query best, within one budget for all of them. */
export function findIn(page: Page, query: string, options: FindOptions, cap: number): Found {
  checkQuery(query)
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const ranked = rankSections(page, byId, query)
  const wanted = Math.min(Math.max(1, Math.floor(options.maxSections ?? 3) || 1), 10)
  const shown = ranked.slice(0, wanted)
  const sources = shown.map(({ item, terms }) => {
    const wanted = tellingTerms(query, terms)
    const within = subtreeOf(page, item)
    const includesCode = options.includeCodeBlocks || isInCodeOnly(within, wanted)
    const source = createSource(`${page.url}#${item.id}`, within, includesCode)
    return { source, wanted, includesCode }
  })
  const passages = shareAmong(
    sources,
    resolveLength(options.maxLength, { cap }),
    ({ source, wanted }, room) => readPassages(source, wanted, room, cap),
    ({ parts }) => parts,
  )
  return {
    url: page.url,
    title: page.title,
    query,
    matches: ranked.length,
    searched: page.sections.length,
    sections: shown.map(({ item, score, reasons }, at) => {
      const { parts, missing } = passages[at] as Passages
      const [excerpt, ...further] = parts
      return {
        id: item.id,
        title: item.title || page.title,
        path: pathOf(item, byId),
        score,
        reasons,
        excerpt,
        further,
        missing,
        includesCode: sources[at]?.includesCode ?? false,
      }
    }),
  }
}

/** True if a term stands in code, and nowhere else. */
function isInCodeOnly(sections: readonly Section[], terms: ReadonlySet<string>): boolean {
  const said = new Set<string>()
  const coded = new Set<string>()
  for (const { title, blocks } of sections) {
    for (const term of termsOf(title)) said.add(term)
    for (const { kind, markdown } of blocks)
      for (const term of termsOf(markdown)) (kind === 'code' ? coded : said).add(term)
  }
  return [...terms].some((term) => coded.has(term) && !said.has(term))
}

function rankSections(page: Page, byId: ReadonlyMap<string, Section>, query: string) {
  // A continuation is found as the section that it continues.
  const headed = page.sections.filter((section) => section.kind !== 'continuation')
  const continued = new Map<string, string>()
  for (const { kind, parent, blocks } of page.sections)
    if (kind === 'continuation' && parent !== undefined)
      continued.set(parent, `${continued.get(parent) ?? ''}\n${textOf(blocks)}`)
  return createSectionRanker(headed, {
    heading: (section) => section.title,
    text: (section) => textOf(section.blocks) + (continued.get(section.id) ?? ''),
    id: (section) => section.id,
    path: (section) => pathOf(section, byId).join(' '),
    parent: (section) => byId.get(section.parent ?? ''),
  }).rank(query)
}
