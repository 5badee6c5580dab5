import { createHash } from 'node:crypto'
import type { Outline, OutlineEntry } from '@pith-mcp/code'
import {
  createContent,
  decodePageToken,
  encodePageToken,
  pageAt,
  paginate,
} from '@pith-mcp/paginator'
import { amount, CallError, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, oneLine } from './next-call.ts'

/** A longer list omits nested symbols. */
const maxLines = 150
const maxFound = 30

/** The symbols of a file, one per line. */
export function renderOutline(
  outline: Outline,
  query: string | undefined,
  pageToken: string | undefined,
): Reply {
  const { file, language, totalLines, entries, total, unparsed, hasErrors } = outline
  const isSearch = query !== undefined && !query.trim().endsWith('/')
  const shown = isSearch
    ? entries.slice(0, maxFound)
    : shallow(entries, query === undefined ? 0 : 1)
  const left = entries.length - shown.length
  const head = `${oneLine(file)} · ${language ?? 'unknown language'} · ${amount(totalLines, 'line')} · ${amount(total, 'symbol')}${hasErrors ? ' · the parser failed in parts, which may contain more' : ''}`
  const data = { file, totalLines, total, found: entries.length, shown: shown.length }
  if (unparsed !== undefined)
    return {
      text: `${head}\nThe symbols are not known: ${unparsed}.\n[next: ${callText({ tool: 'get_chunk', args: { chunk_id: file } })}]`,
      data,
    }
  if (shown.length === 0)
    return {
      text:
        query === undefined
          ? `${head}\nNo symbols are defined in this file.`
          : `${head}\nNo symbol of this file has a word of ${JSON.stringify(query)} in its name.\n[next: ${callText({ tool: 'list_functions_in_file', args: { file_path: file } })}]`,
      data,
    }
  const lines = shown.map((entry) => lineOf(entry, isSearch, left > 0))
  const args = { file_path: file, query }
  const list = pagedList(lines, `list:${file}:${query ?? ''}`, pageToken, (token) =>
    callText({ tool: 'list_functions_in_file', args: { ...args, page_token: token } }),
  )
  const example = shown.toSorted((one, other) => other.inside - one.inside)[0]
  const notes = [
    ...(left > 0 && isSearch ? [`[${count(left)} more match some of the words]`] : []),
    ...(left > 0 && !isSearch && example && example.inside > 0
      ? [
          `[${amount(left, 'nested symbol')} omitted, counted as +n; next: ${callText({ tool: 'list_functions_in_file', args: { file_path: file, query: `${example.path}/` } })}]`,
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
  const depths = entries.map(({ depth }) => depth)
  const least = depths.reduce((one, other) => Math.min(one, other), Infinity) + requested
  const most = depths.reduce((one, other) => Math.max(one, other), 0)
  for (let maxDepth = most; maxDepth > least; maxDepth--) {
    const upper = entries.filter(({ depth }) => depth <= maxDepth)
    if (upper.length <= maxLines) return upper
  }
  return entries.filter(({ depth }) => depth <= least)
}

function lineOf(entry: OutlineEntry, isFlat: boolean, isCut: boolean): string {
  const { path, kind, startLine, endLine, tokens, depth, inside, extent } = entry
  const isNested = !isFlat && depth > 0
  const name = isNested ? `${'  '.repeat(depth)}/${path.slice(path.lastIndexOf('/') + 1)}` : path
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`
  const more = isCut && inside > 0 ? ` +${inside}` : ''
  return `${oneLine(name)} · ${kind} · ${lines} · ${count(tokens)}${more}${extent === 'recovered' ? ' · recovered' : ''}`
}

const budget = { budget: 4_000, unit: 'tokens' } as const

/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 60

/**
 * Lines, or the page of them that a token names.
 *
 * @throws {CallError} for a token of other lines.
 */
function pagedList(
  lines: readonly string[],
  resource: string,
  token: string | undefined,
  callFor: (token: string) => string,
) {
  const content = createContent(lines.map((line) => ({ kind: 'line', text: `${line}\n` })))
  const digest = createHash('sha256').update(content.text).digest('hex')
  const decoded =
    token === undefined
      ? ({ ok: true, start: 0 } as const)
      : decodePageToken(token, {
          resource,
          content: digest,
          starts: () => paginate(content, budget).map(({ start }) => start),
        })
  if (!decoded.ok)
    throw new CallError(
      `${JSON.stringify(token?.slice(0, maxShownLength))} is not a page_token of this list, or the list has changed.`,
      'Leave out page_token to begin at the first page.',
    )
  const { text, isPartial, next } = pageAt(content, decoded.start, budget)
  const nextPageToken =
    next === undefined ? undefined : encodePageToken({ resource, start: next, content: digest })
  return {
    text: text.replace(/\n$/, ''),
    /** The line with the call for the next page, if there is one. */
    next: nextPageToken === undefined ? [] : [`[next: ${callFor(nextPageToken)}]`],
    data: { isPartial, ...(nextPageToken !== undefined && { nextPageToken }) },
  }
}
