import { z } from 'zod'
import { renderGuide, renderToc } from '../render/render-toc.ts'
import { defineTool, optionalText, page } from './tool.ts'

/** `parameter` is the name of get_doc_section's parameter for a section. */
export const tocTool = (parameter: string) =>
  defineTool({
    name: 'get_doc_toc',
    description: 'List the sections of a page with what each costs to read.',
    input: z.object({
      url: z.string().describe('Page URL or path'),
      section: optionalText().describe('List only below this section'),
      page,
    }),
    async answer({ url, section, page }, docs, { signal }) {
      // A site has a separate URL for the contents of a guide; other URLs are pages.
      const guide =
        docs.isContents(url) && (await docs.contents(url, { below: section, page, signal }))
      if (guide) {
        const { pages, folded, nextPage, tokens } = guide
        const next = nextPage !== undefined && { next_page: nextPage }
        return {
          text: renderGuide(guide, section),
          data: { url: guide.url, pages: pages.length, folded, tokens, ...next },
        }
      }
      const toc = await docs.toc(url, { section, page })
      const { title, tokens, characters, entries, list, removed: gone, origin } = toc
      return {
        text: renderToc(toc, section, parameter),
        data: {
          url: toc.url,
          title,
          tokens,
          total_length: characters,
          sections: entries.length,
          changed: entries.flatMap(({ id, change }) => (change ? [{ id, change }] : [])),
          gone,
          origin,
          ...(list.nextPage !== undefined && { next_page: list.nextPage }),
        },
      }
    },
  })

export const getDocToc = tocTool('section')
