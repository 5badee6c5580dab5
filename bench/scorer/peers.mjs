// The search libraries under test, each as (items, kind) → (query, limit) → ids, best first, with
// the fields and weights their own readers would use.
import { create, insertMultiple, search } from '@orama/orama'
import Fuse from 'fuse.js'
import MiniSearch from 'minisearch'
import { createSectionRanker, createToolRanker } from '../../packages/scorer/dist/index.js'
import { countScorer } from './count-scorer.mjs'

const names = ({ properties = {} } = {}) => Object.keys(properties ?? {}).join(' ')

/** A tool or a section as a title and texts. */
const texts = {
  tools: (tool) => ({
    id: tool.id,
    title: `${tool.name} ${tool.title ?? ''}`,
    body: tool.description ?? '',
    more: `${names(tool.inputSchema)} ${tool.server ?? ''}`,
  }),
  sections: (section) => ({
    id: section.id,
    title: section.heading,
    body: section.body,
    more: `${section.anchor ?? ''} ${section.path.join(' ')}`,
  }),
}

const ours = {
  tools: (tools) => createToolRanker(tools),
  sections: (sections) =>
    createSectionRanker(sections, {
      heading: ({ heading }) => heading,
      text: ({ body }) => body,
      id: ({ anchor }) => anchor ?? '',
      path: ({ path }) => path.join(' '),
      page: ({ page }) => page,
    }),
}

export const peers = {
  '@pith-mcp/scorer': (items, kind) => {
    const ranker = ours[kind](items)
    return (query, limit) => ranker.rank(query, { limit }).map(({ item }) => item.id)
  },
  'counting (seed)': (items, kind) => {
    const documents = items.map(texts[kind])
    return countScorer(
      documents.map(({ id, title, body, more }) => ({
        id,
        heading: title,
        text: `${body} ${more}`,
      })),
    )
  },
  MiniSearch: (items, kind) => {
    const index = new MiniSearch({
      fields: ['title', 'body', 'more'],
      searchOptions: { boost: { title: 2 } },
    })
    index.addAll(items.map(texts[kind]))
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id)
  },
  Orama: async (items, kind) => {
    const index = create({ schema: { title: 'string', body: 'string', more: 'string' } })
    await insertMultiple(index, items.map(texts[kind]))
    return async (query, limit) => {
      const { hits } = await search(index, { term: query, limit, boost: { title: 2 } })
      return hits.map(({ document }) => document.id)
    }
  },
  'fuse.js': (items, kind) => {
    const index = new Fuse(items.map(texts[kind]), {
      keys: [{ name: 'title', weight: 2 }, 'body', 'more'],
      ignoreLocation: true,
      useTokenSearch: true,
    })
    return (query, limit) => index.search(query.slice(0, 300), { limit }).map(({ item }) => item.id)
  },
}

/** Takes seconds a query on large sets; there it is left out. */
export const maxItems = { 'fuse.js': 200 }
