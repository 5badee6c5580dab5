import type { ReadOptions } from '@pith-mcp/docs'

/** Tables with more than twenty rows show five and how to search the others; ids are unambiguous. */
export const longTables = (url: string): NonNullable<ReadOptions['tables']> => ({
  maxRows: 20,
  shownRows: 5,
  note: (rows, shownCount, { id }) =>
    [
      `Table truncated (showing ${shownCount} of ${rows} rows). Use the \`search_table\` tool to find specific rows.`,
      `  Example: search_table(url=${JSON.stringify(url)}, section_title=${JSON.stringify(id)}, query="your search term")`,
    ].join('\n'),
})
