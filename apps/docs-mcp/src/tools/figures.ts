import type { Excerpt } from '@pith-mcp/docs'

/** What a program wants to know of an excerpt. */
export const figuresOf = ({
  markdown,
  start,
  end,
  total,
  tokens,
  nextPage,
  codeBlocksOmitted,
}: Excerpt) => ({
  content_length: markdown.length,
  total_length: total,
  tokens,
  start_index: start,
  ...(nextPage !== undefined && { next_start_index: end, next_page: nextPage }),
  code_blocks_omitted: codeBlocksOmitted,
})
