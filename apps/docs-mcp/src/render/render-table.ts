import type { FoundRows, Origin } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { callText, count, shortTitle } from './next-call.ts'
import { originText } from './origin.ts'

export function renderTable(found: FoundRows & { origin: Origin }): string {
  const { url, title, query, tables, matches, rows, searchedTables, origin } = found
  const asked = JSON.stringify(query.slice(0, 200))
  const scope = `${count(rows)} rows of ${count(searchedTables)} ${searchedTables === 1 ? 'table' : 'tables'}`
  if (tables.length === 0 && matches > 0)
    return `${count(matches)} rows match, and there is no room for one of them.\n[next: ${callText('search_in_doc', { url, query })}]`
  if (tables.length === 0)
    return searchedTables === 0
      ? `“${shortTitle(title)}” has no tables there.\n[next: ${callText('search_in_doc', { url, query })}]`
      : `No row has a word of ${asked} (${scope} searched).\n[next: ${callText('search_in_doc', { url, query })}]`
  const shown = tables.map((table, at) => {
    const place = shortTitle([...table.section.path.slice(-1), table.section.title].join(' › '))
    const from = at === 0 ? ` · ${originText(origin)}` : ''
    return [
      `[${place} · ${table.shown} of ${count(table.matches)} matching rows, ${count(table.rows)} in all${from}]`,
      fenced(table.markdown),
    ].join('\n')
  })
  const given = tables.reduce((total, table) => total + table.shown, 0)
  const notes = [
    ...(found.found === 'some'
      ? [`[no row has all words of ${asked}; these have most of them]`]
      : []),
    `[${given} of ${count(matches)} matching rows; ${scope} searched${given < matches ? '; more with max_rows, or with more words' : ''}]`,
  ]
  return [...shown, ...notes].join('\n')
}
