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
    const options = {
      ...(section !== undefined && { section }),
      ...(page !== undefined && { page }),
    }
    return renderToc(await docs.toc(url, options), section)
  },
})
