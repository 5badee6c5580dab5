import { z } from 'zod'
import { renderFound } from '../render/render-found.ts'
import { defineTool, includeCodeBlocks, lengthOr, numberWithin, url } from './tool.ts'

interface FindDefaults {
  /** Name of get_doc_section's parameter for a section. */
  parameter?: string
  maxSections?: number
  maxLength?: number
}

export const findTool = ({
  parameter = 'section',
  maxSections = 6,
  maxLength = 3_000,
}: FindDefaults = {}) =>
  defineTool({
    name: 'search_in_doc',
    description: 'Read the sections of one page that match a query best.',
    input: z.object({
      url,
      query: z.string(),
      max_sections: numberWithin(1, 10, maxSections),
      include_code_blocks: includeCodeBlocks,
      max_length: lengthOr(maxLength),
    }),
    async answer({ url, query, max_sections, include_code_blocks, max_length }, docs) {
      const answer = await docs.find(url, query, {
        maxSections: max_sections,
        includeCodeBlocks: include_code_blocks,
        maxLength: max_length < 0 ? maxLength : max_length,
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
          sections: sections.map(
            ({ id, score, markdown, tokens, isWhole, total, totalTokens, codeBlocksOmitted }) => ({
              id,
              score,
              content_length: markdown.length,
              total_length: total,
              tokens,
              total_tokens: totalTokens,
              is_whole: isWhole,
              code_blocks_omitted: codeBlocksOmitted,
            }),
          ),
        },
      }
    },
  })

export const searchInDoc = findTool()
