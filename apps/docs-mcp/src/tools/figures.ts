import type { Excerpt, SectionsAnswer } from '@pith-mcp/docs'

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

/** The same of several sections. */
export const figuresOfSections = ({ url, title, origin, sections, missing }: SectionsAnswer) => ({
  url,
  title,
  origin,
  sections: sections.map(({ id, title: heading, excerpt }) => ({
    id,
    title: heading,
    ...figuresOf(excerpt),
  })),
  missing: missing.map(({ name }) => name),
})
