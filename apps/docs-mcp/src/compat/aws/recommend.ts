import { z } from 'zod'
import { defineTool } from '../../tools/tool.ts'
import { orFailAs } from './failures.ts'
import { cut, jsonWithin } from './json-within.ts'

/** What is said of a page that the service says nothing of. */
const without: Readonly<Record<string, string>> = { new: 'New content', similar: 'Similar content' }

export const recommend = defineTool({
  name: 'recommend',
  description:
    'Pages that AWS recommends beside one: highly rated, viewed next, new, similar. Returns JSON.',
  input: z.object({ url: z.string().describe('URL of an AWS documentation page') }),
  async answer({ url }, docs, { signal }) {
    const asked = docs.recommend(url, signal && { signal })
    const pages = await orFailAs('Error getting recommendations', asked)
    const results = pages.map(({ group, url: page, title, about }) => ({
      url: page,
      title,
      context: cut(about ?? '', 300) ?? without[group] ?? null,
    }))
    const text = jsonWithin(results, (kept, omitted) =>
      omitted > 0
        ? [...kept, { url: '', title: `${omitted} more are left out`, context: null }]
        : kept,
    )
    return { text, data: { groups: pages.map(({ group }) => group) } }
  },
})
