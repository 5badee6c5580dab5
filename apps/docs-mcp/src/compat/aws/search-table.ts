import type { Docs, TableAnswer, TableMatch } from '@pith-mcp/docs'
import { CallError } from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { defineTool, numberOr, optionalText } from '../../tools/tool.ts'
import { checkUrl } from './check-url.ts'
import { orFailAs } from './failures.ts'
import { jsonWithin } from './json-within.ts'
import { idsOf, sectionsOf } from './page-sections.ts'

const maxListed = 60
const maxEchoLength = 300

export const searchTable = defineTool({
  name: 'search_table',
  description:
    'Find rows in the tables of an AWS documentation page: those that have all words of the query. Returns JSON.',
  input: z.object({
    url: z.string().describe('URL of the page, ending in .html'),
    section_title: optionalText().describe('Only tables in this section'),
    query: z.string(),
    max_rows: numberOr(20, z.number().min(1).max(100)).describe('1-100, of each table'),
  }),
  async answer({ url, section_title, query, max_rows }, docs) {
    checkUrl(url, docs)
    if (query.trim() === '')
      throw new CallError('query parameter cannot be empty', 'Pass words that the row has.')
    const section = section_title?.trim() || undefined
    const found = await orFailAs(
      `Failed to fetch ${url}`,
      searchIn(url, section, query, max_rows, docs),
    )
    const base = {
      url,
      section_title: (section ?? '(all tables)').slice(0, maxEchoLength),
      query: query.slice(0, maxEchoLength),
    }
    if ('hint' in found)
      return {
        text: JSON.stringify({
          ...base,
          tables_searched: 0,
          tables_with_matches: 0,
          results: [],
          ...found,
        }),
        data: {},
      }
    const searched = found.reduce((sum, { searchedTables }) => sum + searchedTables, 0)
    // This tool returns only rows with all words.
    const tables = found.flatMap((one) => (one.found === 'all' ? one.tables : []))
    const matches = found.reduce((sum, one) => sum + (one.found === 'all' ? one.matches : 0), 0)
    const rows = tables.flatMap((table) => table.cells.map((cells) => ({ table, cells })))
    const text = jsonWithin(rows, (kept) => ({
      ...base,
      tables_searched: searched,
      tables_with_matches: tables.length,
      results: tables.map((table) => resultOf(table, kept)).filter(({ showing }) => showing > 0),
      ...hintOf(
        kept.length,
        matches,
        found.some(({ bound }) => bound === 'maxRows'),
      ),
    }))
    return { text, data: { searched_tables: searched, matches } }
  },
})

type Row = { table: TableMatch; cells: string[] }

function resultOf(table: TableMatch, kept: readonly Row[]) {
  const { section, columns, rows, matches } = table
  const shown = kept.filter((row) => row.table === table)
  return {
    table_heading: section.title,
    columns,
    total_rows: rows,
    matched_rows: matches,
    showing: shown.length,
    rows: shown.map(({ cells }) =>
      Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
    ),
  }
}

function hintOf(shown: number, matches: number, isRaisable: boolean): { hint?: string } {
  if (matches === 0)
    return {
      hint: 'No rows matched all query words. Try fewer or broader terms, or check spelling. Each word must appear somewhere in the row.',
    }
  if (shown >= matches) return {}
  return {
    hint: `Showing ${shown} of ${matches} rows that match. Add words to the query${isRaisable ? ', name a section, or raise max_rows' : ' or name a section'}.`,
  }
}

/** Tables of every section with that name; a hint if there is no such section or table. */
async function searchIn(
  url: string,
  section: string | undefined,
  query: string,
  maxRows: number,
  docs: Docs,
): Promise<TableAnswer[] | { hint: string }> {
  const options = { maxRows, perTable: true }
  if (section === undefined) {
    const found = await docs.searchTable(url, query, options)
    return found.searchedTables > 0 ? [found] : { hint: 'No tables found on this page.' }
  }
  const page = await sectionsOf(url, docs)
  const same = idsOf(section, page)
  const names = same.length > 0 ? same : [section]
  const found = await Promise.all(
    names.map((name) => docs.searchTable(url, query, { ...options, section: name })),
  ).catch((error: { code?: string }) => {
    if (error.code !== 'section_not_found') throw error
  })
  const shown = section.slice(0, maxEchoLength)
  if (!found) {
    const titles = page.slice(0, maxListed).map(({ title }) => `"${title.slice(0, 120)}"`)
    return { hint: `Section "${shown}" not found. Available sections: ${titles.join(', ')}` }
  }
  return found.some(({ searchedTables }) => searchedTables > 0)
    ? found
    : { hint: `No table found in section "${shown}"` }
}
