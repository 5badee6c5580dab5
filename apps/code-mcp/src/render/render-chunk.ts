import type { Breadcrumb, Chunk } from '@pith-mcp/code'
import { pageHeader } from '@pith-mcp/paginator'
import { count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, type NextCall, oneLine } from './next-call.ts'
import { type Locale, type Words, words } from './words.ts'

type CallFor = (more: Record<string, string | number>) => NextCall

/** A page of a chunk: its position, repeated lines, the code, and the next call. */
export function renderChunk(chunk: Chunk, locale: Locale, callFor: CallFor): Reply {
  const { symbol, file, nextPageToken } = chunk
  const head = pageHeader(chunk, { language: locale, name: oneLine(symbol?.path ?? file) })
  const next = nextPageToken === undefined ? [] : [callText(callFor({ page_token: nextPageToken }))]
  return {
    text: [
      head,
      ...pageLines(chunk, locale, (line) => callText(callFor({ start_line: line }))),
      ...next.map((call) => `[${words[locale].next}: ${call}]`),
    ].join('\n'),
    data: figuresOf(chunk),
  }
}

/** What a program needs of a page, without its text. */
export function figuresOf(chunk: Chunk): Record<string, unknown> {
  const { text: _text, crumbs: _crumbs, leading: _leading, ...figures } = chunk
  return figures
}

/** A page below its header; `jumpTo` is the call for a line of the chunk. */
export function pageLines(
  chunk: Chunk,
  locale: Locale,
  jumpTo: (line: number) => string,
): string[] {
  const { text, language = '' } = chunk
  const fence = fenceFor(text)
  const labels = words[locale]
  return [
    whereLine(chunk, labels),
    ...leadingLines(chunk, labels),
    ...crumbLines(chunk.crumbs, chunk.fileStartLine, labels),
    // The newline before the closing fence is not part of the code.
    `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`,
    ...partLines(chunk, jumpTo, labels),
    ...otherLines(chunk, labels),
  ]
}

/** A fence longer than any in the code. */
function fenceFor(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

function whereLine(chunk: Chunk, labels: Words): string {
  const { file, symbol, fileStartLine, fileEndLine, extent, unparsed, totalTokens, isPartial } =
    chunk
  const notes = [
    `${oneLine(file)}:${fileStartLine}-${fileEndLine}`,
    ...(symbol ? [symbol.kind] : []),
    ...(isPartial && chunk.currentPage === 1 ? [labels.tokensInTotal(count(totalTokens))] : []),
    ...(extent === 'recovered' ? [labels.recovered] : []),
    ...(unparsed !== undefined ? [labels.linesOnly(unparsed)] : []),
    ...(chunk.isCorrected ? [labels.isCorrected] : []),
    ...(chunk.isChanged ? [labels.isChanged] : []),
    ...(chunk.beginsInLine ? [labels.beginsInLine] : []),
    ...(chunk.endsInLine ? [labels.endsInLine] : []),
  ]
  return notes.join(' · ')
}

const numbered = (line: number, text: string): string =>
  `${String(line).padStart(5)}│${oneLine(text)}`

function leadingLines({ leading }: Chunk, labels: Words): string[] {
  if (!leading) return []
  const lines = leading.text.split('\n').map((text, at) => numbered(leading.startLine + at, text))
  return [labels.above, ...lines, ...(leading.isCut ? ['    ⋮'] : [])]
}

function crumbLines(crumbs: readonly Breadcrumb[], next: number, labels: Words): string[] {
  if (crumbs.length === 0) return []
  const lines = crumbs.flatMap(({ line, text, isCut }) => [
    numbered(line, text),
    ...(isCut ? ['    ⋮'] : []),
  ])
  return [labels.repeated, ...lines, labels.fromLine(next)]
}

function partLines(
  { parts, moreParts }: Chunk,
  jumpTo: (line: number) => string,
  labels: Words,
): string[] {
  if (!parts || parts.length === 0) return []
  const lines = parts.map(
    ({ name, startLine, lines: length }) => `${startLine}+${length} ${oneLine(name)}`,
  )
  const [first] = parts
  return [labels.parts(moreParts ? count(moreParts) : '', jumpTo(first?.startLine ?? 1)), ...lines]
}

function otherLines({ others: namesakes }: Chunk, labels: Words): string[] {
  if (!namesakes || namesakes.length === 0) return []
  const names = namesakes.slice(0, 5).join(', ')
  return [`[${labels.sameName}: ${names}${namesakes.length > 5 ? ', …' : ''}]`]
}
