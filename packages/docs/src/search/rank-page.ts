import type { Page, Section } from '@pith-mcp/cleaner'
import { createSectionRanker, type Ranked, termsOf } from '@pith-mcp/scorer'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { scoreByName } from './score-by-name.ts'

/**
 * The sections of a page that match a query, best first, as a search over pages ranks them. A
 * continuation is ranked as part of the section that it continues.
 */
export function rankPage(page: Page, query: string): Ranked<Section>[] {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const headed = page.sections.filter((section) => section.kind !== 'continuation')
  const continued = new Map<string, string>()
  for (const { kind, parent, blocks } of page.sections)
    if (kind === 'continuation' && parent !== undefined)
      continued.set(parent, `${continued.get(parent) ?? ''}\n${textOf(blocks)}`)
  const text = (section: Section) => textOf(section.blocks) + (continued.get(section.id) ?? '')
  const ranked = createSectionRanker(headed, {
    heading: (section) => section.title,
    text,
    id: (section) => section.id,
    path: (section) => pathOf(section, byId).join(' '),
  }).rank(query)
  const byName = scoreByName(query, ranked[0]?.score ?? 0)
  const scored = ranked.map((hit) => {
    const { id, title: heading } = hit.item
    const terms = () => termsOf(text(hit.item))
    return Object.assign(hit, { score: byName({ id, heading, terms }, hit.score) })
  })
  return scored.sort((a, b) => b.score - a.score)
}
