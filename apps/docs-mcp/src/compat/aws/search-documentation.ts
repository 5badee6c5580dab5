import type { SiteAnswer, SiteHit } from '@pith-mcp/docs'
import { z } from 'zod'
import { defineTool, numberOr, optionalList, textOr } from '../../tools/tool.ts'
import { orFailAs } from './failures.ts'
import { cut, jsonWithin } from './json-within.ts'

export const searchDocumentation = defineTool({
  name: 'search_documentation',
  isEntry: true,
  description:
    'Search the AWS documentation. Returns JSON: pages with a summary, their sections and those that answer best (for read_sections), and facets to narrow by.',
  input: z.object({
    search_phrase: z.string(),
    search_intent: textOr('').describe(
      'What the user is after; no personal or customer data: it is sent to AWS',
    ),
    limit: numberOr(10, z.number().min(1).max(50)).describe('1-50'),
    product_types: optionalList().describe('Values of the facet of that name'),
    guide_types: optionalList().describe('Values of the facet of that name'),
  }),
  async answer(
    { search_phrase, search_intent, limit, product_types = [], guide_types = [] },
    docs,
    { signal },
  ) {
    const { home = '' } = docs.siteOptions('aws')
    const filters = {
      ...(product_types.length > 0 && { product: product_types }),
      ...(guide_types.length > 0 && { guide: guide_types }),
    }
    const requested = docs.querySiteSearch(home, search_phrase, {
      limit,
      intent: search_intent,
      filters,
      signal,
    })
    const answer = await orFailAs('Error searching AWS docs', requested)
    const envelope = (results: readonly object[], omitted: number) => ({
      search_results: results,
      ...(omitted > 0 && { omitted_results: omitted }),
      facets: facetsOf(answer),
      query_id: answer.queryId ?? '',
      metadata: metadataOf(answer),
      ...(answer.problem !== undefined && {
        note: `Error searching AWS docs: ${answer.problem} These pages were found by their titles only.`,
      }),
    })
    // With many results each has less detail, so that all fit.
    const texts = detail.map((most) =>
      jsonWithin(
        answer.hits.map((hit, at) => resultOf(hit, at, most)),
        envelope,
      ),
    )
    const text = texts.find((json) => !json.includes('"omitted_results":')) ?? texts.at(-1) ?? ''
    return { text, data: { results: answer.hits.map(({ url }) => url) } }
  },
})

/** Levels of detail of a result, from high to low. */
const detail = [
  { context: 500, sections: 40, links: 10 },
  { context: 250, sections: 12, links: 2 },
  { context: 120, sections: 3, links: 0 },
  { context: 0, sections: 0, links: 0 },
]

function resultOf(
  { url, title, excerpt, sections = [], recommended = [], links = [] }: SiteHit,
  at: number,
  most: (typeof detail)[number],
) {
  const some = links.slice(0, most.links)
  return {
    rank_order: at + 1,
    url,
    title,
    context: cut(excerpt, most.context),
    ...titleList('recommended_sections', recommended, most.sections),
    ...titleList('sections', sections, most.sections),
    ...(some.length > 0 && {
      metadata: {
        additional_urls: some.map((link) => ({
          url: link.url,
          ...(link.section !== undefined && { section_title: link.section }),
          ...(link.fragment !== undefined && { section_anchor: link.fragment }),
        })),
      },
    }),
  }
}

const titleList = (name: string, titles: readonly string[], most: number) =>
  titles.length > 0 && most > 0 ? { [name]: titles.slice(0, most) } : {}

function facetsOf({ facets = {} }: SiteAnswer) {
  const { product, guide } = facets
  return {
    ...(product && { product_types: product.slice(0, 30) }),
    ...(guide && { guide_types: guide.slice(0, 30) }),
  }
}

const included = ['discovered_services', 'related_tasks', 'relationships'] as const

/** Query metadata of the service; values that are too long are left out. */
function metadataOf({ context = {} }: SiteAnswer): Record<string, unknown> | null {
  const entries = included.flatMap((name) => {
    const value = context[name]
    const isShort = Array.isArray(value) && value.length > 0 && JSON.stringify(value).length < 2_000
    return isShort ? [[name, value] as const] : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : null
}
