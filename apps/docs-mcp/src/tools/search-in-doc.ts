import { z } from 'zod'
import { renderFound } from '../render/render-found.ts'
import { figuresOf } from './figures.ts'
import { defineTool, includeCodeBlocks, maxLength, numberWithin, url } from './tool.ts'

/** `parameter` is the name of get_doc_section's parameter for a section. */
export const findTool = (parameter: string) =>
  defineTool({
    name: 'search_in_doc',
    description: 'Read the sections of one page that match a query best.',
    input: z.object({
      url,
      query: z.string(),
      max_sections: numberWithin(1, 10, 3),
      include_code_blocks: includeCodeBlocks,
      max_length: maxLength,
    }),
    async answer({ url, query, max_sections, include_code_blocks, max_length }, docs) {
      const answer = await docs.find(url, query, {
        maxSections: max_sections,
        includeCodeBlocks: include_code_blocks,
        maxLength: max_length,
      })
      const { title, matches, searched, sections, origin } = answer
      return {
        text: renderFound(answer, parameter),
        data: {
          url: answer.url,
          title,
          matches,
          searched,
          origin,
          sections: sections.map(({ id, score, excerpt, further }) => ({
            id,
            score,
            ...figuresOf(excerpt),
            ...(further.length > 0 && { further: further.map(figuresOf) }),
          })),
        },
      }
    },
  })

export const searchInDoc = findTool('section')
