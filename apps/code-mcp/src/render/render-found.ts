import type {
  Account,
  Chunk,
  FoundFiles,
  FoundSymbols,
  SearchResult,
  SymbolHit,
} from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, type NextCall, oneLine } from './next-call.ts'
import { pageLines } from './render-chunk.ts'
import type { Locale } from './words.ts'

/** At most this many symbols in a reply. */
export const maxHits = 50

/** Symbols that a search found, two lines each. */
export function renderFound(result: FoundSymbols, query: string, locale: Locale): Reply {
  const { hits, total, match, bodies, notIndexed = 0, filesLeft = 0, ...account } = result
  const lines = hits.slice(bodies.length).map(match === 'text' ? textLine : hitLines)
  const best = hits.find(({ kind }) => match !== 'text' || kind !== 'file') ?? hits[0]
  const notes = [
    ...(notIndexed > 0
      ? [`[${amount(notIndexed, 'file')} not indexed yet; repeat the call to compare them]`]
      : []),
    ...(filesLeft > 0 ? [`[not counted: lines of ${amount(filesLeft, 'more file')} with it]`] : []),
    ...(best && bodies.length === 0
      ? [`[next: ${callText({ tool: 'get_chunk', args: { chunk_id: best.id } })}]`]
      : []),
  ]
  const isRaised = hits.length < maxHits && match !== 'text'
  const lever = isRaised ? 'raise max_results' : 'narrow it with `path`'
  const more = hits.length < total ? `; ${lever} for others` : ''
  const counts = total === 1 ? '1 match' : `${count(hits.length)} of ${count(total)} matches`
  const head =
    hits.length === 0
      ? nothingFound(result, query)
      : `${heads[match](JSON.stringify(query), counts)}${more}`
  const code = bodies.flatMap((body) => bodyLines(body, locale))
  return {
    text: [...gapNotes(result, '`path`'), head, ...code, ...lines, ...notes].join('\n'),
    data: { found: total, shown: hits.length, match, ...account, hits },
  }
}

const hitLines = ({ id, kind, startLine, endLine, signature }: SymbolHit): string =>
  `${oneLine(id)} · ${kind} · ${startLine === endLine ? startLine : `${startLine}–${endLine}`}${signature && `\n    ${signature}`}`

/** A line with a text, and the symbol around it. */
const textLine = ({ id, startLine, signature }: SymbolHit): string =>
  `${oneLine(id)}:${startLine}: ${signature}`

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
  text: (query, counts) =>
    `${counts.replace(/match(?:es)?/, (word) => (word === 'match' ? 'line' : 'lines'))} of source files with the text ${query}`,
  description: (query) => `Described by ${query}, best first`,
  similar: (query, counts) => `No name is ${query}; similar names: ${counts}, best first`,
}

function nothingFound(account: SearchResult, query: string): string {
  const isAll = account.unread === 0 && account.unparsed.length === 0
  const advice = isAll ? ' Use another word, or find_file; rg for other files.' : ''
  return `No function or class name contains a word of ${JSON.stringify(query)}, in ${searchedText(account)}.${advice}`
}

/** How many files a search without a result has read, and what never is. */
export function searchedText(
  { searched, unread, unparsed, ignored }: Account,
  noun = 'source file',
): string {
  const read = Math.max(0, searched - unparsed.reduce((sum, { files }) => sum + files, 0))
  const isAll = unread === 0 && read === searched
  const excluded =
    ignored === 0
      ? ''
      : ` (${things(ignored)} excluded by .gitignore, or as dependencies or secrets)`
  return `${isAll ? '' : 'the '}${amount(read, noun)} searched${excluded}`
}

/** One line on what was not searched though it could be; `narrower` names the parameter that reaches it. */
export function gapNotes(account: Account, narrower: string): string[] {
  const { unreadable, unread, tooDeep, isCut, listedAt } = account
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
  ]
  const text =
    files.length === 0
      ? [
          `No file matches ${JSON.stringify(pattern)}, of ${searchedText(result, 'file')}. Pass a part of its name.`,
        ]
      : files.map(oneLine)
  return {
    text: [...gapNotes(result, 'a longer pattern'), ...text, ...notes].join('\n'),
    data: { total, ...account, files },
  }
}
