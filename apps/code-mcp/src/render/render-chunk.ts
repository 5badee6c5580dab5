import type { Breadcrumb, Chunk } from '@pith-mcp/code'
import { pageHeader } from '@pith-mcp/paginator'
import { count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, type NextCall, oneLine } from './next-call.ts'

type CallFor = (more: Record<string, string | number>) => NextCall

/** A page of a chunk: its position, repeated lines, the code, and the next call. */
export function renderChunk(chunk: Chunk, locale: 'en' | 'ja', callFor: CallFor): Reply {
  const { text, language = '', symbol, file } = chunk
  const name = oneLine(symbol?.path ?? file)
  const fence = fenceFor(text)
  const parts = [
    pageHeader(chunk, { language: locale, name }),
    whereLine(chunk),
    ...leadingLines(chunk),
    ...crumbLines(chunk.crumbs, chunk.fileStartLine),
    // The newline before the closing fence is not part of the code.
    `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`,
    ...partLines(chunk, callFor),
    ...otherLines(chunk),
    ...nextLine(chunk, callFor),
  ]
  const { text: _text, crumbs: _crumbs, leading: _leading, ...data } = chunk
  return { text: parts.join('\n'), data }
}

/** A fence longer than any in the code. */
function fenceFor(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

function whereLine(chunk: Chunk): string {
  const { file, symbol, fileStartLine, fileEndLine, extent, unparsed, totalTokens, isPartial } =
    chunk
  const notes = [
    `${oneLine(file)}:${fileStartLine}-${fileEndLine}`,
    ...(symbol ? [symbol.kind] : []),
    ...(isPartial && chunk.currentPage === 1 ? [`~${count(totalTokens)} tokens in total`] : []),
    ...(extent === 'recovered'
      ? ['extent: recovered (from its braces, because the parser failed)']
      : []),
    ...(unparsed !== undefined ? [`lines only: ${unparsed}`] : []),
    ...(chunk.isCorrected ? ['one wrong character in page_token was corrected'] : []),
  ]
  return notes.join(' · ')
}

const numbered = (line: number, text: string): string =>
  `${String(line).padStart(5)}│${oneLine(text)}`

function leadingLines({ leading }: Chunk): string[] {
  if (!leading) return []
  const lines = leading.text.split('\n').map((text, at) => numbered(leading.startLine + at, text))
  return ['above it:', ...lines, ...(leading.isCut ? ['    ⋮'] : [])]
}

function crumbLines(crumbs: readonly Breadcrumb[], next: number): string[] {
  if (crumbs.length === 0) return []
  const lines = crumbs.flatMap(({ line, text, isCut }) => [
    numbered(line, text),
    ...(isCut ? ['    ⋮'] : []),
  ])
  return ['repeated from above:', ...lines, `from line ${next} on:`]
}

function partLines({ parts, moreParts }: Chunk, callFor: CallFor): string[] {
  if (!parts || parts.length === 0) return []
  const lines = parts.map(
    ({ name, startLine, lines: length }) => `${startLine}+${length} ${oneLine(name)}`,
  )
  const [first] = parts
  const jump = callText(callFor({ start_line: first?.startLine ?? 1 }))
  const left = moreParts ? `, the largest; ${count(moreParts)} more` : ''
  return [`Parts (first line+lines${left}); to jump to one, call ${jump}:`, ...lines]
}

function otherLines({ others }: Chunk): string[] {
  if (!others || others.length === 0) return []
  const shown = others.slice(0, 5).join(', ')
  return [`[same name in this file: ${shown}${others.length > 5 ? ', …' : ''}]`]
}

/** Only on the first page; the first line of every page has the tokens. */
function nextLine({ nextPageToken, currentPage }: Chunk, callFor: CallFor): string[] {
  if (nextPageToken === undefined || currentPage > 1) return []
  return [`[next: ${callText(callFor({ page_token: nextPageToken }))}]`]
}
