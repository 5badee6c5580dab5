import { z } from 'zod'
import { defineTool } from '../../tools/tool.ts'
import { orFailAs } from './failures.ts'
import { cut, jsonWithin } from './json-within.ts'

/** The reply for a page without recommendations. */
const without: Readonly<Record<string, string>> = { new: 'New content', similar: 'Similar content' }

export const recommend = defineTool({
  name: 'recommend',
  description:
    'Pages AWS recommends for a page: highly rated, viewed next, new, similar. Returns JSON.',
  input: z.object({ url: z.string().describe('URL of an AWS documentation page') }),
  async answer({ url }, docs, { signal }) {
    const recommendations = docs.recommend(url, { signal })
    const pages = await orFailAs('Error getting recommendations', recommendations)
    const results = pages.map(({ group, url: page, title, about }) => ({
      url: page,
      title,
      context: cut(about ?? '', 300) ?? without[group] ?? null,
    }))
    const text = jsonWithin(results, (firstResults, omitted) =>
      omitted > 0
        ? [...firstResults, { url: '', title: `${omitted} more are left out`, context: null }]
        : firstResults,
    )
    return { text, data: { groups: pages.map(({ group }) => group) } }
  },
})
