import { cleanMarkdown, type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { termsOf } from '@pith-mcp/scorer'
import { maxTokens } from '../excerpt/excerpt.ts'
import { readGrid } from '../excerpt/read-grid.ts'
import { namesIn } from '../excerpt/units.ts'
import type { Origin } from '../protocol/origin.ts'
import { checkQuery } from '../search/check-query.ts'
import { pathOf } from '../search-index/section-text.ts'
import { openSection } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** The rest of a budget, in characters and in estimated tokens. */
type TableBudget = Record<'characters' | 'tokens', number>

/** Bounds of a search in tables. */
export interface TableOptions {
  /** 1–200, default 20, for all tables together. */
  maxRows?: number | undefined
  /** Apply `maxRows` to each table. */
  perTable?: boolean
  /** Only tables below this section. */
  section?: string | undefined
  /** `columns` and `cells` without the marks of Markdown. */
  isPlain?: boolean
}

/** A table with its matching rows. */
export interface TableMatch {
  section: { id: string; title: string; path: string[] }
  /** Header and matching rows, as Markdown. */
  markdown: string
  /** The same as values: unique names of the columns, and the cells of each row. */
  columns: string[]
  cells: string[][]
  /** Rows in `markdown`, matching rows, and rows of the table. */
  shown: number
  matches: number
  rows: number
}

/** Rows of the tables of one page that match a query. */
export interface TableAnswer {
  url: string
  title: string
  query: string
  tables: TableMatch[]
  /** Matching rows, and rows of all searched tables. */
  matches: number
  rows: number
  searchedTables: number
  /** What kept matching rows out of `tables`; `reply` if no option gives more. */
  bound?: 'maxRows' | 'reply'
  /** Names of the query that no searched row has; no row is then returned. */
  absent: string[]
  /** `some`: no row has all words; these have the most. */
  found: 'all' | 'some' | 'none'
  origin: Origin
}

const maxRows = 200

/**
 * Rows of the tables of a section or a whole page that match a query, each table with its header.
 */
export async function searchTable(
  { reader, cap }: Deps,
  url: string,
  query: string,
  options: TableOptions = {},
): Promise<TableAnswer> {
  const { page, origin, section: below } = await openSection(reader, url, options.section)
  checkQuery(query)
  const queryTerms = [...new Set(termsOf(withoutSeparators(query)))]
  const tables = tablesOf(below ? subtreeOf(page, below) : page.sections)
  const scored = tables.map(({ section, grid }) => ({
    section,
    grid,
    scores: grid.rows.map((row) => scoreOf(row, grid.headerOf(row), queryTerms)),
  }))
  const absent = namesIn(query)
    .slice(0, maxNames)
    .filter((name) =>
      tables.every(({ grid: { rows, headerOf } }) =>
        rows.every((row) => !haveName([...row, headerOf(row)], name)),
      ),
    )
  // `Math.max(...)` would exceed the maximum number of arguments for a large table.
  const all = absent.length > 0 ? [] : scored.flatMap(({ scores }) => scores)
  const best = all.reduce((most, score) => Math.max(most, score), 0)
  const coverage = best === 0 ? 'none' : best >= queryTerms.length ? 'all' : 'some'
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const maxShownRows = Math.min(Math.max(1, Math.floor(options.maxRows ?? 20) || 1), maxRows)
  let rowsLeft = maxShownRows
  let room = { characters: cap, tokens: maxTokens }
  const textOf = options.isPlain ? (cell: string) => plainText(cellOf(cell)) : cellOf
  const answers: TableMatch[] = []
  let matches = 0
  for (const { section, grid, scores } of scored) {
    const matching = inFront(
      grid.rows.filter((_, at) => best > 0 && scores[at] === best),
      queryTerms,
      maxShownRows,
    )
    matches += matching.length
    if (matching.length === 0) continue
    const wanted = matching.slice(0, options.perTable ? maxShownRows : rowsLeft)
    const { lines, rest } = linesWithin(grid.head, wanted, room)
    const rowCount = lines.length - grid.head.length
    rowsLeft -= rowCount
    if (rowCount === 0) continue
    room = rest
    answers.push({
      section: placeOf(section, page, pathOf(section, byId)),
      markdown: lines.join('\n'),
      columns: namedApart(grid.header.map(textOf)),
      cells: matching.slice(0, rowCount).map((row) => row.map(textOf)),
      shown: rowCount,
      matches: matching.length,
      rows: grid.rows.length,
    })
  }
  const shownRows = answers.reduce((total, table) => total + table.shown, 0)
  const isRaisable =
    maxShownRows < maxRows &&
    (options.perTable ? answers.some((table) => table.shown === maxShownRows) : rowsLeft === 0)
  return {
    url: page.url,
    title: page.title,
    query,
    tables: answers,
    matches,
    ...(shownRows < matches && { bound: isRaisable ? 'maxRows' : 'reply' }),
    rows: tables.reduce((total, { grid }) => total + grid.rows.length, 0),
    searchedTables: tables.length,
    absent,
    found: coverage,
    origin,
  }
}

/** A continuation has the title of the section that it continues. */
function placeOf({ id, title }: Section, page: Page, path: string[]): TableMatch['section'] {
  return title === '' && path.length > 0
    ? { id, title: path.at(-1) ?? '', path: path.slice(0, -1) }
    : { id, title: title || page.title, path }
}

/** In characters; replies with values are also bounded in total. */
const maxCellLength = 15_000

const cellOf = (cell: string): string => cell.trim().replaceAll('\\|', '|').slice(0, maxCellLength)

/** As a title, which has no marks. */
const plainText = (cell: string): string =>
  /[*_`[\]\\<&]/.test(cell) ? cleanMarkdown(`# ${cell}`).title : cell

/** Numbers the columns of the same name. */
function namedApart(names: readonly string[]): string[] {
  const times = new Map<string, number>()
  return names.map((name) => {
    const base = name || 'column'
    const time = (times.get(base) ?? 0) + 1
    times.set(base, time)
    return time === 1 && name !== '' ? name : `${base}_${time}`
  })
}

/** Characters of one row or header; the rest can be read in its section. */
const maxLineLength = 2_500

const cutLine = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…|` : line

const without = ({ characters, tokens }: TableBudget, text: string): TableBudget => ({
  characters: characters - text.length - 1,
  tokens: tokens - estimateTokens(text) - 1,
})

/** The head and the first rows that the rest of a budget holds, and what is left of it. */
function linesWithin(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  room: TableBudget,
) {
  const lines = head.map(cutLine)
  let rest = without(room, lines.join('\n'))
  for (const row of rows) {
    const line = cutLine(`|${row.join('|')}|`)
    const less = without(rest, line)
    if (less.characters < 0 || less.tokens < 0) break
    lines.push(line)
    rest = less
  }
  return { lines, rest }
}

function tablesOf(sections: readonly Section[]) {
  return sections.flatMap((section) =>
    section.blocks.flatMap((block) => {
      const grid = block.kind === 'table' ? readGrid(block) : undefined
      return grid ? [{ section, grid }] : []
    }),
  )
}

/** If there are more rows than are shown, those whose first cell matches best come first. */
function inFront(rows: string[][], queryTerms: readonly string[], maxShown: number): string[][] {
  if (rows.length <= maxShown) return rows
  const matched = (row: readonly string[]): number => {
    const cellTerms = rowTerms(row.slice(0, 1))
    return queryTerms.filter((term) => has(cellTerms, term)).length
  }
  return rows
    .map((row) => ({ row, count: matched(row) }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ row }) => row)
}

/** Thousands separators occur in some tables and queries only. */
const withoutSeparators = (text: string): string => text.replace(/(?<=\d)[,'’](?=\d{3}\b)/g, '')

const rowTerms = (cells: readonly string[]): string[] => termsOf(withoutSeparators(cells.join(' ')))

/** The number of words that a row contains; from four letters on, a prefix matches. */
function scoreOf(row: readonly string[], header: string, queryTerms: readonly string[]): number {
  const cellTerms = rowTerms(row)
  // A match in the header alone does not count.
  if (!queryTerms.some((term) => has(cellTerms, term))) return 0
  const headerTerms = termsOf(header)
  return queryTerms.filter((term) => headerTerms.includes(term) || has(cellTerms, term)).length
}

/** As many names of a query are looked for in all rows. */
const maxNames = 4

/** True for cells with the name, however its parts are joined, or with all of its parts. */
function haveName(cells: readonly string[], name: string): boolean {
  const terms = rowTerms(cells)
  const [whole = '', ...parts] = termsOf(withoutSeparators(name))
  return has(terms, whole) || (parts.length > 0 && parts.every((part) => has(terms, part)))
}

const has = (terms: readonly string[], queryTerms: string): boolean =>
  terms.some(
    (term) => term === queryTerms || (queryTerms.length >= 4 && term.startsWith(queryTerms)),
  )
