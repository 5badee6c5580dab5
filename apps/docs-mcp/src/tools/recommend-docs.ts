import { z } from 'zod'
import { renderRelated } from '../render/render-related.ts'
import { defineTool, optionalText, url } from './tool.ts'

export const recommendDocs = defineTool({
  name: 'recommend_docs',
  description:
    'List related pages: before, after, see also, linked, similar, recommended by the site.',
  input: z.object({
    url,
    section: optionalText().describe('Only links of this section'),
  }),
  async answer({ url, section }, docs, { signal }) {
    const related = await docs.related(url, section, { signal })
    const { title, next, previous, up, seeAlso, linked, similar, languages } = related
    const { recommended, guide, origin } = related
    const urlsOf = (pages: readonly { url: string }[]) => pages.map((page) => page.url)
    return {
      text: renderRelated(related, section),
      data: {
        url: related.url,
        title,
        origin,
        next: urlsOf(next),
        previous: urlsOf(previous),
        up: urlsOf(up),
        see_also: urlsOf(seeAlso),
        linked: urlsOf(linked),
        similar: urlsOf(similar),
        languages: urlsOf(languages),
        recommended: recommended.slice(0, 40).map(({ group, url }) => ({ group, url })),
        ...(guide !== undefined && { guide }),
      },
    }
  },
})
