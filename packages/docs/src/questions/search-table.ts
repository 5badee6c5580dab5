import { type Page, type Section, subtreeOf } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { termsOf } from '@pith-mcp/scorer'
import { pathOf } from '../search-index/section-text.ts'
import { checkQuery } from './check-query.ts'
import { mostTokens } from './excerpt.ts'
import { readGrid } from './read-grid.ts'

export interface TableOptions {
  /** 1–200, default 20, for all tables together. */
  maxRows?: number
  /** For each table instead. */
  perTable?: boolean
}

export interface FoundTable {
  section: { id: string; title: string; path: string[] }
  /** Header and rows that match, as Markdown. */
  markdown: string
  /** The same as values: names of the columns, each once, and the cells of each row. */
  columns: string[]
  cells: string[][]
  /** Rows in `markdown`, those that match, and those of the table. */
  shown: number
  matches: number
  rows: number
}

export interface FoundRows {
  url: string
  title: string
  query: string
  tables: FoundTable[]
  /** Rows that match, and rows of all tables that were searched. */
  matches: number
  rows: number
  searchedTables: number
  /** `some`: no row has all the words, and these have the most of them. */
  found: 'all' | 'some' | 'none'
}

const mostRows = 200

/** Rows of a page's tables that have the words of a query, each table with its header. */
export function searchTable(
  page: Page,
  query: string,
  below: Section | undefined,
  options: TableOptions,
  cap: number,
): FoundRows {
  checkQuery(query)
  const wanted = [...new Set(termsOf(withoutSeparators(query)))]
  const tables = tablesOf(below ? subtreeOf(page, below) : page.sections)
  const scored = tables.map(({ section, grid }) => ({
    section,
    grid,
    scores: grid.rows.map((row) => scoreOf(row, grid.headerOf(row), wanted)),
  }))
  // One by one: a large table has more rows than a call may have arguments.
  const best = scored
    .flatMap(({ scores }) => scores)
    .reduce((most, score) => Math.max(most, score), 0)
  const found = best === 0 ? 'none' : best >= wanted.length ? 'all' : 'some'
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const wantedRows = Math.min(Math.max(1, Math.floor(options.maxRows ?? 20) || 1), mostRows)
  let rowsLeft = wantedRows
  let room = { characters: cap, tokens: mostTokens }
  const answers: FoundTable[] = []
  let matches = 0
  for (const { section, grid, scores } of scored) {
    const matching = inFront(
      grid.rows.filter((_, at) => best > 0 && scores[at] === best),
      wanted,
      wantedRows,
    )
    matches += matching.length
    if (matching.length === 0) continue
    const lines = grid.head.map(cutLine)
    let spent = costOf(lines.join('\n'))
    let shown = 0
    for (const row of matching.slice(0, options.perTable ? wantedRows : rowsLeft)) {
      const line = cutLine(`|${row.join('|')}|`)
      const cost = costOf(line)
      const isOver = spent.characters + cost.characters > room.characters
      if (isOver || spent.tokens + cost.tokens > room.tokens) break
      lines.push(line)
      spent = { characters: spent.characters + cost.characters, tokens: spent.tokens + cost.tokens }
      shown++
    }
    rowsLeft -= shown
    if (shown === 0) continue
    room = { characters: room.characters - spent.characters, tokens: room.tokens - spent.tokens }
    answers.push({
      section: {
        id: section.id,
        title: section.title || page.title,
        path: pathOf(section, byId),
      },
      markdown: lines.join('\n'),
      columns: namedApart(grid.header.map(plainCell)),
      cells: matching.slice(0, shown).map((row) => row.map(plainCell)),
      shown,
      matches: matching.length,
      rows: grid.rows.length,
    })
  }
  return {
    url: page.url,
    title: page.title,
    query,
    tables: answers,
    matches,
    rows: tables.reduce((total, { grid }) => total + grid.rows.length, 0),
    searchedTables: tables.length,
    found,
  }
}

/** As a value; replies that give values bound them all together. */
const longestCell = 15_000

const plainCell = (cell: string): string => cell.trim().replaceAll('\\|', '|').slice(0, longestCell)

/** A column that is called like one before gets a number. */
function namedApart(names: readonly string[]): string[] {
  const times = new Map<string, number>()
  return names.map((name) => {
    const known = name || 'column'
    const time = (times.get(known) ?? 0) + 1
    times.set(known, time)
    return time === 1 && name !== '' ? name : `${known}_${time}`
  })
}

/** Of one row or header; what is longer is cut, and its section can be read. */
const longestLine = 2_500

const cutLine = (line: string): string =>
  line.length > longestLine ? `${line.slice(0, longestLine)}…|` : line

const costOf = (text: string) => ({ characters: text.length + 1, tokens: estimateTokens(text) + 1 })

function tablesOf(sections: readonly Section[]) {
  return sections.flatMap((section) =>
    section.blocks.flatMap((block) => {
      const grid = block.kind === 'table' ? readGrid(block) : undefined
      return grid ? [{ section, grid }] : []
    }),
  )
}

/** Of more rows than are shown, those whose first cell says most of what is wanted come first. */
function inFront(rows: string[][], wanted: readonly string[], shown: number): string[][] {
  if (rows.length <= shown) return rows
  const said = (row: readonly string[]): number => {
    const own = rowTerms(row.slice(0, 1))
    return wanted.filter((term) => has(own, term)).length
  }
  return rows
    .map((row) => ({ row, said: said(row) }))
    .toSorted((a, b) => b.said - a.said)
    .map(({ row }) => row)
}

/** Thousands are set apart in some tables, and in some queries. */
const withoutSeparators = (text: string): string => text.replace(/(?<=\d)[,'’](?=\d{3}\b)/g, '')

const rowTerms = (cells: readonly string[]): string[] => termsOf(withoutSeparators(cells.join(' ')))

/** How many of the words a row has; the beginning of a word of four letters and more will do. */
function scoreOf(row: readonly string[], header: string, wanted: readonly string[]): number {
  const own = rowTerms(row)
  // A word that only the header has says nothing of the row.
  if (!wanted.some((term) => has(own, term))) return 0
  const named = termsOf(header)
  return wanted.filter((term) => named.includes(term) || has(own, term)).length
}

const has = (terms: readonly string[], wanted: string): boolean =>
  terms.some((term) => term === wanted || (wanted.length >= 4 && term.startsWith(wanted)))
