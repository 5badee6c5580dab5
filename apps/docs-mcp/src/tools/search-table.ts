import { z } from 'zod'
import { renderTable } from '../render/render-table.ts'
import { defineTool, numberWithin, optionalText, url } from './tool.ts'

export const searchTable = defineTool({
  name: 'search_table',
  description: 'Find rows in the tables of a page by words.',
  input: z.object({
    url,
    query: z.string(),
    section: optionalText().describe('Only tables in this section'),
    max_rows: numberWithin(1, 200, 20),
  }),
  async answer({ url, query, section, max_rows }, docs) {
    const answer = await docs.searchTable(url, query, {
      maxRows: max_rows,
      section: section?.trim() || undefined,
    })
    const { title, tables, matches, rows, searchedTables, origin } = answer
    return {
      text: renderTable(answer),
      data: {
        url: answer.url,
        title,
        matches,
        rows,
        searched_tables: searchedTables,
        origin,
        tables: tables.map((table) => ({
          section: table.section.id,
          shown: table.shown,
          matches: table.matches,
          rows: table.rows,
        })),
      },
    }
  },
})
