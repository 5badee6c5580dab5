import type { Docs } from '@pith-mcp/docs'
import { z } from 'zod'
import { renderGuide } from '../render/render-guide.ts'
import { renderToc } from '../render/render-toc.ts'
import { optionalText, page } from './parameters.ts'
import { defineTool } from './tool.ts'

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
      const guide = await guideAt(url, section, page, docs, signal)
      if (guide) return guide
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

/** A site has a separate URL for the contents of a guide; other URLs are pages. */
async function guideAt(
  url: string,
  below: string | undefined,
  page: string | undefined,
  docs: Docs,
  signal: AbortSignal | undefined,
) {
  if (!docs.isContents(url)) return undefined
  const contents = await docs.contents(url, { below, page, signal })
  if (!contents) return undefined
  const { pages, folded, nextPage, tokens } = contents
  return {
    text: renderGuide(contents, below),
    data: {
      url: contents.url,
      pages: pages.length,
      folded,
      tokens,
      ...(nextPage !== undefined && { next_page: nextPage }),
    },
  }
}
