import { z } from 'zod'
import { renderSearch } from '../../render/render-search.ts'
import { searchReply } from '../../tools/search-docs.ts'
import { defineTool, flag, numberWithin, optionalText } from '../../tools/tool.ts'

export const searchSnowflakeDocs = defineTool({
  name: 'search_snowflake_docs',
  isEntry: true,
  description: 'Search the Snowflake documentation. Returns titles, URLs and excerpts.',
  input: z.object({
    query: z.string(),
    max_results: numberWithin(1, 20, 5),
    language: optionalText().describe('en or ja; default: that of the query'),
    include_headings: flag().describe('Also list the headings of each page'),
  }),
  async answer({ query, max_results, language, include_headings }, docs, call) {
    const { home = '' } = docs.siteOptions('snowflake')
    const answer = await docs.search(query, {
      source: home,
      maxResults: max_results,
      includeHeadings: include_headings,
      language,
      ...call,
    })
    // The text has an excerpt of each page, and no sections.
    const hits = answer.hits.map((hit) => ({ ...hit, sections: [] }))
    return {
      text: renderSearch(answer, { canPass: false, isExcerpts: true }),
      data: searchReply({ ...answer, hits }),
    }
  },
})
