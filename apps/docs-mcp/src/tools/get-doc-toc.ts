import { z } from 'zod'
import { renderToc } from '../render/render-toc.ts'
import { optionalText, page } from './parameters.ts'
import { defineTool } from './tool.ts'

export const getDocToc = defineTool({
  name: 'get_doc_toc',
  description: 'List the sections of a page with what each costs to read.',
  input: z.object({
    url: z.string().describe('Page URL or path'),
    section: optionalText().describe('List only what is below this section'),
    page,
  }),
  async answer({ url, section, page }, docs) {
    const toc = await docs.toc(url, {
      ...(section !== undefined && { section }),
      ...(page !== undefined && { page }),
    })
    const { title, tokens, characters, entries, list, gone, origin } = toc
    return {
      text: renderToc(toc, section),
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
