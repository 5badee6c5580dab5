import type { Account, Chunk, FoundFiles, FoundSymbols, SearchResult } from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, type NextCall, oneLine } from './next-call.ts'
import { pageLines } from './render-chunk.ts'
import type { Locale } from './words.ts'

/** At most this many symbols in a reply. */
export const maxHits = 50

/** Symbols that a search found, two lines each. */
export function renderFound(result: FoundSymbols, query: string, locale: Locale): Reply {
  const { hits, total, match, name, otherNames, bodies, notIndexed = 0, ...account } = result
  const lines = hits
    .slice(bodies.length)
    .map(
      ({ id, kind, startLine, endLine, signature }) =>
        `${oneLine(id)} · ${kind} · ${startLine === endLine ? startLine : `${startLine}–${endLine}`}${signature && `\n    ${signature}`}`,
    )
  const [best] = hits
  const notes = [
    ...(otherNames === 0
      ? []
      : [
          `[${otherNames === undefined ? '' : `${count(otherNames)} other `}names that contain it: ${callText({ tool: 'find_function', args: { query: `*${name}*` } })}]`,
        ]),
    ...(notIndexed > 0
      ? [`[${amount(notIndexed, 'file')} not indexed yet; repeat the call to compare them]`]
      : []),
    ...accountNotes(result, '`path`'),
    ...(best && bodies.length === 0
      ? [`[next: ${callText({ tool: 'get_chunk', args: { chunk_id: best.id } })}]`]
      : []),
  ]
  const lever = hits.length < maxHits ? 'raise max_results' : 'narrow it with `path`'
  const more = hits.length < total ? `; ${lever} for others` : ''
  const counts = total === 1 ? '1 match' : `${count(hits.length)} of ${count(total)} matches`
  const head =
    hits.length === 0
      ? nothingFound(result, query)
      : `${heads[match](JSON.stringify(query), counts)}${more}`
  const code = bodies.flatMap((body) => bodyLines(body, locale))
  return {
    text: [head, ...code, ...lines, ...notes].join('\n'),
    data: { found: total, shown: hits.length, match, otherNames, ...account, hits },
  }
}

/** A symbol as `get_chunk` returns it. */
function bodyLines(body: Chunk, locale: Locale): string[] {
  const callFor = (args: NextCall['args']): NextCall => ({
    tool: 'get_chunk',
    args: { chunk_id: body.id, ...args },
  })
  const [where = '', ...lines] = pageLines(body, locale, (line) =>
    callText(callFor({ start_line: line })),
  )
  // The id instead of the path of the file.
  return [`${oneLine(body.id)} · ${where.slice(oneLine(body.file).length + 1)}`, ...lines]
}

/** What the first line says of a query and the number of matches. */
const heads: Readonly<Record<SearchResult['match'], (query: string, counts: string) => string>> = {
  name: (query, counts) => `${counts} for ${query}, best first`,
  words: (query, counts) => `${counts} for ${query}, best first`,
  within: (query, counts) =>
    query.startsWith('"*')
      ? `${counts} for ${query}, best first`
      : `No name is ${query}; names that contain it: ${counts}, best first`,
  signature: (query, counts) =>
    `No name is ${query}; signatures that contain it: ${counts}, best first`,
  parts: (query, counts) =>
    /\s/.test(query)
      ? `No name has all words of ${query}; with some of them: ${counts}, best first`
      : `No name is ${query}; with a part of it: ${counts}, best first`,
  text: (query, counts) => `${counts} for the text ${query}`,
  description: (query) => `Described by ${query}, best first`,
  similar: (query, counts) => `No name is ${query}; similar names: ${counts}, best first`,
}

function nothingFound({ searched, unread, unparsed }: SearchResult, query: string): string {
  const read = searched - unparsed.reduce((sum, { files }) => sum + files, 0)
  const isAll = unread === 0 && read === searched
  const where = `${isAll ? '' : 'the '}${amount(read, 'file')} searched`
  const advice = isAll ? ' Use another word, or find_file.' : ''
  return read <= 0
    ? `0 files were searched for ${JSON.stringify(query)}.`
    : `No function or class name contains a word of ${JSON.stringify(query)}, in ${where}.${advice}`
}

/**
 * One line on what was not searched, and why; `narrower` names the parameter that reaches the rest.
 */
export function accountNotes(account: Account, narrower: string): string[] {
  const { ignored, unreadable, unread, tooDeep, isCut, listedAt } = account
  const gaps = [
    ...(unread > 0
      ? [
          `${amount(unread, 'file')} not read in time; repeat the call to continue, or narrow it with ${narrower}`,
        ]
      : []),
    ...account.unparsed.map(
      ({ reason, files, example }) =>
        `${amount(files, 'file')} with words of the query not parsed: ${reason} (${oneLine(example)})`,
    ),
    ...(unreadable > 0 ? [`${things(unreadable)} could not be read`] : []),
    ...(tooDeep > 0 ? [`${amount(tooDeep, 'folder')} nested more than 64 deep`] : []),
    ...(isCut
      ? [`too many files: the folders were searched in part; use ${narrower} to reach the others`]
      : []),
    ...(listedAt === undefined
      ? []
      : [`files that are newer than ${new Date(listedAt).toISOString().slice(11, 19)} UTC`]),
    ...(ignored > 0
      ? [`${things(ignored)} excluded by .gitignore, or as dependencies or secrets`]
      : []),
  ]
  return gaps.length === 0 ? [] : [`[not searched: ${gaps.join('; ')}]`]
}

const things = (number: number): string =>
  number === 1 ? '1 file or folder' : `${count(number)} files or folders`

export function renderFiles(result: FoundFiles, pattern: string): Reply {
  const { files, total, ...account } = result
  const notes = [
    ...(total > files.length
      ? [`[${count(total - files.length)} more; use a longer pattern to narrow the result]`]
      : []),
    ...accountNotes(result, 'a longer pattern'),
  ]
  const text =
    files.length === 0
      ? [`No file matches ${JSON.stringify(pattern)}. Pass a part of its name.`]
      : files.map(oneLine)
  return { text: [...text, ...notes].join('\n'), data: { total, ...account, files } }
}
