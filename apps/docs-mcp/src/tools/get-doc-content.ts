import { z } from 'zod'
import { renderContent } from '../render/render-section.ts'
import { figuresOf } from './figures.ts'
import { defineTool, includeCodeBlocks, maxLength, numberOr, page } from './tool.ts'

export const getDocContent = defineTool({
  name: 'get_doc_content',
  description: 'Read a whole page in parts. A section costs far less: see get_doc_section.',
  input: z.object({
    url: z.string().describe('Page URL or path'),
    start_index: numberOr(0).describe('Offset, instead of page'),
    page,
    include_code_blocks: includeCodeBlocks,
    max_length: maxLength,
  }),
  async answer({ url, start_index, page, include_code_blocks, max_length }, docs) {
    const answer = await docs.content(url, {
      startIndex: start_index,
      includeCodeBlocks: include_code_blocks,
      maxLength: max_length,
      page,
    })
    const { title, origin } = answer
    return {
      text: renderContent(answer, include_code_blocks),
      data: { url: answer.url, title, origin, ...figuresOf(answer) },
    }
  },
})
