import { z } from 'zod'
import { sectionReply } from '../../tools/get-doc-section.ts'
import { defineTool, includeCodeBlocks, maxLength, page, url } from '../../tools/tool.ts'

export const getDocSection = defineTool({
  name: 'get_doc_section',
  isEntry: true,
  description: 'Read one section of a page, with its subsections.',
  input: z.object({
    url,
    section_id: z.string().describe('Id or title, from get_doc_toc'),
    include_code_blocks: includeCodeBlocks,
    max_length: maxLength,
    page,
  }),
  async answer({ url, section_id, include_code_blocks, max_length, page }, docs) {
    const answer = await docs.section(url, section_id, {
      includeCodeBlocks: include_code_blocks,
      maxLength: max_length,
      page,
    })
    return sectionReply(answer, include_code_blocks, 'section_id')
  },
})
