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
    const answers = await orFailAs(
      `Failed to fetch ${url}`,
      searchIn(url, section, query, max_rows, docs),
    )
    const base = {
      url,
      section_title: (section ?? '(all tables)').slice(0, maxEchoLength),
      query: query.slice(0, maxEchoLength),
    }
    if ('hint' in answers)
      return {
        text: JSON.stringify({
          ...base,
          tables_searched: 0,
          tables_with_matches: 0,
          results: [],
          ...answers,
        }),
        data: {},
      }
    const searched = answers.reduce((sum, { searchedTables }) => sum + searchedTables, 0)
    // This tool returns only rows with all words.
    const complete = answers.filter((answer) => answer.found === 'all')
    const tables = complete.flatMap((answer) => answer.tables)
    const matches = complete.reduce((sum, answer) => sum + answer.matches, 0)
    const isRaisable = answers.some(({ bound }) => bound === 'maxRows')
    const rows = tables.flatMap((table) => table.cells.map((cells) => ({ table, cells })))
    const text = jsonWithin(rows, (batch) => ({
      ...base,
      tables_searched: searched,
      tables_with_matches: tables.length,
      results: tables.map((table) => resultOf(table, batch)).filter(({ showing }) => showing > 0),
      ...hintOf(batch.length, matches, isRaisable),
    }))
    return { text, data: { searched_tables: searched, matches } }
  },
})

type Row = { table: TableMatch; cells: string[] }

function resultOf(table: TableMatch, batch: readonly Row[]) {
  const { section, columns, rows, matches } = table
  const tableRows = batch.filter((row) => row.table === table)
  return {
    table_heading: section.title,
    columns,
    total_rows: rows,
    matched_rows: matches,
    showing: tableRows.length,
    rows: tableRows.map(({ cells }) =>
      Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
    ),
  }
}

function hintOf(shownCount: number, matches: number, isRaisable: boolean): { hint?: string } {
  if (matches === 0)
    return {
      hint: 'No rows matched all query words. Try fewer or broader terms, or check spelling. Each word must appear somewhere in the row.',
    }
  if (shownCount >= matches) return {}
  return {
    hint: `Showing ${shownCount} of ${matches} rows that match. Add words to the query${isRaisable ? ', name a section, or raise max_rows' : ' or name a section'}.`,
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
  const options = { maxRows, perTable: true, isPlain: true }
  if (section === undefined) {
    const answer = await docs.searchTable(url, query, options)
    return answer.searchedTables > 0 ? [answer] : { hint: 'No tables found on this page.' }
  }
  const page = await sectionsOf(url, docs)
  const same = idsOf(section, page)
  const names = same.length > 0 ? same : [section]
  const answers = await Promise.all(
    names.map((name) => docs.searchTable(url, query, { ...options, section: name })),
  ).catch((error: { code?: string }) => {
    if (error.code !== 'section_not_found') throw error
  })
  const sectionName = section.slice(0, maxEchoLength)
  if (!answers) {
    const titles = page.slice(0, maxListed).map(({ title }) => `"${title.slice(0, 120)}"`)
    return { hint: `Section "${sectionName}" not found. Available sections: ${titles.join(', ')}` }
  }
  return answers.some(({ searchedTables }) => searchedTables > 0)
    ? answers
    : { hint: `No table found in section "${sectionName}"` }
}
