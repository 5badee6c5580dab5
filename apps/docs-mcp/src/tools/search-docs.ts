import { z } from 'zod'
import { renderSearch } from '../render/render-search.ts'
import { flag, numberOr } from './parameters.ts'
import { defineTool } from './tool.ts'

export const searchDocs = defineTool({
  name: 'search_docs',
  description:
    'Find sections in all documentation of this server. Returns titles, URLs and excerpts.',
  input: z.object({
    query: z.string().describe('Words that the documentation would use'),
    max_results: numberOr(5).describe('1-20'),
    include_headings: flag().describe('Also list the headings of each page'),
  }),
  async answer({ query, max_results, include_headings }, docs, call) {
    const options = { maxResults: max_results, includeHeadings: include_headings, ...call }
    return renderSearch(await docs.search(query, options))
  },
})
