import type { Excerpt } from '@pith-mcp/docs'

/** Figures of an excerpt, for programs. */
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
