import type { TableAnswer } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { fenced, linesOf, originText, shortTitle } from './reply-text.ts'

export function renderTable(hits: TableAnswer): string {
  const { url, title, query, tables, matches, rows, searchedTables, absent, origin } = hits
  const queryText = JSON.stringify(query.slice(0, 200))
  const scope = `${amount(rows, 'row')} of ${amount(searchedTables, 'table')}`
  if (tables.length === 0 && matches > 0)
    return `${amount(matches, 'matching row')} found, but none fits into a reply.\n[next: ${callText('search_in_doc', { url, query })}]`
  const names = absent.map((name) => JSON.stringify(name.slice(0, 100)))
  if (absent.length > 0)
    return `No row has ${names.join(', ')} (${scope} searched).\n[next: ${callText('search_in_doc', { url, query })}]`
  if (tables.length === 0)
    return searchedTables === 0
      ? `No tables to search in “${shortTitle(title)}”.\n[next: ${callText('search_in_doc', { url, query })}]`
      : `No row contains a word of ${queryText} (${scope} searched).\n[next: ${callText('search_in_doc', { url, query })}]`
  const texts = tables.map((table, at) => {
    const place = shortTitle([...table.section.path.slice(-1), table.section.title].join(' › '))
    const from = at === 0 ? ` · ${originText(origin)}` : ''
    return [
      `[${place} · ${table.shown} of ${count(table.matches)} matching rows, ${count(table.rows)} in total${from}]`,
      fenced(table.markdown),
    ]
  })
  const shownRows = tables.reduce((total, table) => total + table.shown, 0)
  return linesOf(
    texts,
    hits.found === 'some' && `[no row contains all words of ${queryText}; these contain the most]`,
    `[${shownRows} of ${count(matches)} matching rows; ${scope} searched${hits.bound === undefined ? '' : `; ${hits.bound === 'maxRows' ? 'raise max_rows or ' : ''}add words to the query`}]`,
  )
}
