import type { Outline, OutlineEntry } from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, oneLine } from './next-call.ts'
import { pagedList } from './paged-list.ts'

/** A longer list omits nested symbols. */
const maxLines = 150
const maxFound = 30

/** The symbols of a file, one per line. */
export async function renderOutline(
  outline: Outline,
  query: string | undefined,
  pageToken: string | undefined,
): Promise<Reply> {
  const { file, language, totalLines, entries, total, unranked = 0, unparsed, hasErrors } = outline
  const isSearch = query !== undefined && !query.trim().endsWith('/')
  const rows = isSearch ? entries.slice(0, maxFound) : shallow(entries, query === undefined ? 0 : 1)
  const restCount = entries.length - rows.length
  const head = `${oneLine(file)} · ${language ?? 'unknown language'} · ${amount(totalLines, 'line')} · ${amount(total, 'symbol')}${hasErrors ? ' · the parser failed in parts, which may contain more' : ''}`
  const figures = { file, totalLines, total, found: entries.length, shown: rows.length }
  const data = { ...figures, ...(unranked > 0 && { unranked }) }
  if (unparsed !== undefined)
    return {
      text: `${head}\nThe symbols are not known: ${unparsed}.\n[next: ${callText({ tool: 'get_chunk', args: { chunk_id: file } })}]`,
      data,
    }
  if (rows.length === 0)
    return {
      text:
        query === undefined
          ? `${head}\nNo symbols are defined in this file.`
          : `${head}\nNo symbol of this file has a word of ${JSON.stringify(query)} in its name.${unranked > 0 ? ` Similar names were looked for in ${count(total - unranked)} of them only.` : ''}\n[next: ${callText({ tool: 'list_functions_in_file', args: { file_path: file } })}]`,
      data,
    }
  const args = { file_path: file, query }
  const list = await pagedList({
    count: rows.length,
    lineAt: (at) => lineOf(rows[at] as OutlineEntry, isSearch, restCount > 0),
    resource: `list:${file}:${query ?? ''}`,
    token: pageToken,
    callFor: (token) =>
      callText({ tool: 'list_functions_in_file', args: { ...args, page_token: token } }),
  })
  const example = rows.reduce((a, b) => (b.inside > a.inside ? b : a))
  const notes = [
    ...(restCount > 0 && isSearch ? [`[${count(restCount)} more match some of the words]`] : []),
    ...(unranked > 0
      ? [
          `[${amount(unranked, 'more symbol')} not compared, because others have as many of the words or more; add words of the name to reach them]`,
        ]
      : []),
    ...(restCount > 0 && !isSearch && example.inside > 0
      ? [
          `[${amount(restCount, 'nested symbol')} omitted, counted as +n; next: ${callText({ tool: 'list_functions_in_file', args: { file_path: file, query: `${example.path}/` } })}]`,
        ]
      : []),
  ]
  const legend = isSearch
    ? 'name path · kind · lines · ~tokens'
    : 'name path · kind · lines · ~tokens; /name is nested in the less indented name above'
  return {
    text: [head, legend, list.text, ...notes, ...list.next].join('\n'),
    data: { ...data, ...list.data },
  }
}

/** As many levels as fit; the requested levels are always complete, in pages. */
function shallow(entries: readonly OutlineEntry[], requested: number): readonly OutlineEntry[] {
  const totals: number[] = []
  for (const { depth } of entries) totals[depth] = (totals[depth] ?? 0) + 1
  let deepest = totals.findIndex((total) => total !== undefined) + requested
  let lines = totals.slice(0, deepest + 1).reduce((sum, total) => sum + (total ?? 0), 0)
  for (let depth = deepest + 1; depth < totals.length; depth++) {
    lines += totals[depth] ?? 0
    if (lines > maxLines) break
    deepest = depth
  }
  return entries.filter(({ depth }) => depth <= deepest)
}

function lineOf(entry: OutlineEntry, isFlat: boolean, isCut: boolean): string {
  const { path, kind, startLine, endLine, tokens, depth, inside, extent } = entry
  const isNested = !isFlat && depth > 0
  const name = isNested ? `${'  '.repeat(depth)}/${path.slice(path.lastIndexOf('/') + 1)}` : path
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`
  const more = isCut && inside > 0 ? ` +${inside}` : ''
  return `${oneLine(name)} · ${kind} · ${lines} · ${count(tokens)}${more}${extent === 'recovered' ? ' · recovered' : ''}`
}
