import { z } from 'zod'
import { CallError } from '../../call-error.ts'
import { boundedNumber, optionalText } from '../../tools/parameters.ts'
import { defineTool } from '../../tools/tool.ts'
import { checkUrl } from './check-url.ts'
import { orFailAs } from './failures.ts'
import { sectionsOf } from './read-sections.ts'

export const searchTable = defineTool({
  name: 'search_table',
  description:
    'Find rows in the tables of an AWS documentation page: those that have all words of the query. Returns JSON.',
  input: z.object({
    url: z.string().describe('URL of the page, ending in .html'),
    section_title: optionalText().describe('Only tables in this section'),
    query: z.string(),
    max_rows: boundedNumber(20, { least: 1, most: 100 }).describe('1-100, of each table'),
  }),
  async answer({ url, section_title, query, max_rows }, docs) {
    checkUrl(url, docs)
    if (query.trim() === '')
      throw new CallError('query parameter cannot be empty', 'Pass words that the row has.')
    const section = section_title?.trim() || undefined
    const options = { maxRows: max_rows, perTable: true, ...(section !== undefined && { section }) }
    const base = { url, section_title: section ?? '(all tables)', query }
    const nothing = { ...base, tables_searched: 0, tables_with_matches: 0, results: [] }
    const searching = docs.searchTable(url, query, options).catch((error: { code?: string }) => {
      if (error.code !== 'section_not_found') throw error
    })
    const found = await orFailAs(`Failed to fetch ${url}`, searching)
    if (!found) {
      const titles = (await sectionsOf(url, docs)).slice(0, 60).map(({ title }) => `"${title}"`)
      return reply({
        ...nothing,
        section_title: section,
        hint: `Section "${section}" not found. Available sections: ${titles.join(', ')}`,
      })
    }
    if (found.searchedTables === 0)
      return reply({
        ...nothing,
        hint:
          section === undefined
            ? 'No tables found on this page.'
            : `No table found in section "${section}"`,
      })
    // Rows with only some of the words are not what this tool gives.
    const tables = found.found === 'all' ? found.tables : []
    const shown = tables.reduce((sum, table) => sum + table.shown, 0)
    return reply({
      ...base,
      tables_searched: found.searchedTables,
      tables_with_matches: tables.length,
      results: tables.map((table) => ({
        table_heading: table.section.title,
        columns: table.columns,
        total_rows: table.rows,
        matched_rows: table.matches,
        showing: table.shown,
        rows: table.cells.map((cells) =>
          Object.fromEntries(table.columns.map((column, at) => [column, cells[at] ?? ''])),
        ),
      })),
      ...(tables.length === 0 && {
        hint: 'No rows matched all query words. Try fewer or broader terms, or check spelling. Each word must appear somewhere in the row.',
      }),
      ...(tables.length > 0 &&
        shown < found.matches && {
          hint: `Showing ${shown} of ${found.matches} rows that match. Add words to the query, name a section, or raise max_rows.`,
        }),
    })
  },
})

const reply = (data: Record<string, unknown>) => ({ text: JSON.stringify(data), data: {} })
