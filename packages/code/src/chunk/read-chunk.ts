import { createHash } from 'node:crypto'
import { decodePageToken, encodePageToken, estimateTokens } from '@pith-mcp/paginator'
import { CodeError } from '../code-error.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import type { Span } from '../paging/cut-points.ts'
import { createPages, type Pages } from '../paging/pages.ts'
import { unitSize } from '../parse/parsed.ts'
import { maxPageTokens, type PageSize, readPageSize } from '../text/page-size.ts'
import type { Chunk, ChunkOptions, Part } from './chunk.ts'

/** How pages are cut if a call does not specify it. */
export interface PageDefaults {
  size: PageSize
  /**
   * A symbol with at most this many lines and bytes is one page, if the maximum page size allows
   * it; 0 for none.
   */
  pagingThreshold: { lines: number; bytes: number }
}

/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 60

/** Data of a chunk that is the same for all its pages. */
interface Prepared {
  pages: Pages
  resource: string
  digest: string
  lines: number
  bytes: number
}

const prepared = new WeakMap<SourceFile, Map<CodeSymbol | undefined, Prepared>>()

/**
 * One page of a symbol, or of a whole file.
 *
 * @throws {CodeError} `bad_argument` for an invalid token or line, `content_changed` for a token of
 * another symbol or a former text.
 */
export function readChunk(
  file: SourceFile,
  symbol: CodeSymbol | undefined,
  options: ChunkOptions,
  defaults: PageDefaults,
): Chunk {
  const span: Span = symbol ?? { start: 0, body: 0, end: file.text.length }
  const known = prepare(file, symbol, span)
  const size = known.pages.bounded(sizeOf(known, options, defaults))
  const { start, isCorrected } = startOf(file, known, span, size, options)
  const { pages, lines } = known
  const page = pages.at(start, size)
  const starts = pages.starts(size)
  const before = starts.filter((at) => at < start)
  const after = starts.filter((at) => at >= page.end).length
  const isLast = page.end >= span.end
  const previous = before.at(-1)
  const totalPages = before.length + 1 + (isLast ? 0 : Math.max(1, after))
  const first = file.lines.lineAt(span.start)
  const lineOf = (offset: number): number => file.lines.lineAt(offset)
  const fileStartLine = lineOf(page.start)
  const fileEndLine = lineOf(Math.max(page.start, page.end - 1))
  const { language, unparsed } = file
  return {
    id: known.resource,
    file: file.path,
    ...(language && { language: language.name }),
    ...(symbol && { symbol: { path: symbol.path, kind: symbol.kind } }),
    text: file.text.slice(page.start, page.end),
    crumbs: page.crumbs,
    ...(page.leading && symbol && { leading: page.leading }),
    isPartial: totalPages > 1,
    totalLines: lines,
    startLine: fileStartLine - first + 1,
    endLine: fileEndLine - first + 1,
    fileStartLine,
    fileEndLine,
    currentPage: before.length + 1,
    totalPages,
    ...(!isLast && { nextPageToken: tokenOf(known, page.end - span.start) }),
    ...(previous !== undefined && { prevPageToken: tokenOf(known, previous - span.start) }),
    totalTokens: Math.ceil(pages.tokens(span.start, span.end)),
    extent: symbol?.extent ?? 'parsed',
    ...(unparsed !== undefined && { unparsed }),
    ...(page.partsBudget > 0 && partsOf(file, symbol, span, starts, page.partsBudget)),
    ...(isCorrected && { isCorrected }),
  }
}

function prepare(file: SourceFile, symbol: CodeSymbol | undefined, span: Span): Prepared {
  const ofFile = prepared.get(file) ?? new Map<CodeSymbol | undefined, Prepared>()
  prepared.set(file, ofFile)
  const known = ofFile.get(symbol)
  if (known) return known
  const text = file.text.slice(span.start, span.end)
  const made: Prepared = {
    pages: createPages(file, span),
    resource: symbol ? `${file.path}#${symbol.path}` : file.path,
    // A token is valid for this text only, regardless of its position in the file.
    digest: createHash('sha256').update(text).digest('hex'),
    lines: text === '' ? 0 : file.lines.lineAt(span.end - 1) - file.lines.lineAt(span.start) + 1,
    bytes: Buffer.byteLength(text),
  }
  ofFile.set(symbol, made)
  return made
}

function sizeOf(
  { lines, bytes }: Prepared,
  options: ChunkOptions,
  defaults: PageDefaults,
): PageSize {
  if (options.pageSize !== undefined) return readPageSize(options.pageSize)
  const { pagingThreshold } = defaults
  const isShort = lines <= pagingThreshold.lines && bytes <= pagingThreshold.bytes
  return isShort ? { amount: maxPageTokens, unit: 'tokens' } : defaults.size
}

const tokenOf = ({ resource, digest }: Prepared, start: number): string =>
  encodePageToken({ resource, start, content: digest })

function startOf(
  file: SourceFile,
  known: Prepared,
  span: Span,
  size: PageSize,
  { pageToken, startLine }: ChunkOptions,
): { start: number; isCorrected?: true } {
  if (pageToken === undefined || pageToken === '')
    return { start: startLine === undefined ? span.start : lineStart(file, known, span, startLine) }
  const { resource, digest, pages } = known
  const starts = (): number[] => pages.starts(size).map((at) => at - span.start)
  const decoded = decodePageToken(pageToken, { resource, content: digest, starts })
  if (decoded.ok) {
    const start = span.start + decoded.start
    if (start < span.end) return { start, ...(decoded.corrected && { isCorrected: true }) }
  }
  const name = JSON.stringify(pageToken.slice(0, maxShownLength))
  if (!decoded.ok && decoded.reason === 'content_changed')
    throw new CodeError(
      'content_changed',
      `The page token ${name} is not of this text of ${resource}: it is of another function, or the function has changed since (content_changed).`,
      `Begin again at the first page, ${decoded.first}.`,
    )
  const valid = decoded.ok ? [] : (decoded.valid ?? [])
  throw new CodeError(
    'bad_argument',
    `${name} is not a page token of ${resource}.`,
    `Pass a page token exactly as in the reply: ${valid.join(', ')}${valid.length < starts().length ? ', …' : ''}.`,
  )
}

function lineStart(
  file: SourceFile,
  { resource, lines }: Prepared,
  span: Span,
  line: number,
): number {
  if (!Number.isInteger(line) || line < 1 || line > Math.max(1, lines))
    throw new CodeError(
      'bad_argument',
      `Line ${line} is outside ${resource}, which has ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
      `Pass a line from 1 to ${lines}.`,
    )
  return Math.max(span.start, file.lines.startOf(file.lines.lineAt(span.start) + line - 1))
}

const maxParts = 40
/** A list with fewer parts is of no use. */
const few = 4
const maxNameLength = 80
/** Tokens of the heading of the list, and of the numbers of each part. */
const tokensOfHead = 60
const tokensOfLine = 6

/**
 * Parts to jump to in a chunk of many pages, in order: its largest symbols; if there are few, its
 * long statements; if there are few of those too, the first lines of its pages. The list has at
 * most `tokens`.
 */
function partsOf(
  file: SourceFile,
  symbol: CodeSymbol | undefined,
  span: Span,
  starts: readonly number[],
  tokens: number,
): Pick<Chunk, 'parts' | 'moreParts'> {
  const kinds = [
    () => symbolsIn(file, symbol),
    () => statementsIn(file, span),
    () => pagesOf(file, span, starts),
  ]
  let all: Part[] = []
  for (const kind of kinds) if (all.length < few) all = kind()
  let room = tokens - tokensOfHead
  const largest = all
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, maxParts)
    .filter(({ name }) => {
      room -= estimateTokens(name) + tokensOfLine
      return room >= 0
    })
  const parts = largest.toSorted((one, other) => one.startLine - other.startLine)
  return { parts, ...(all.length > parts.length && { moreParts: all.length - parts.length }) }
}

/** Every second or third page, if there are many. */
function pagesOf({ lines }: SourceFile, span: Span, starts: readonly number[]): Part[] {
  const step = Math.ceil(starts.length / maxParts)
  const chosen = starts.filter((_, at) => at % step === 0).map((start) => lines.lineAt(start))
  const first = lines.lineAt(span.start)
  const last = lines.lineAt(Math.max(span.start, span.end - 1))
  return chosen.map((line, at) => ({
    name: lines.text(line).trim().slice(0, maxNameLength),
    startLine: line - first + 1,
    lines: (chosen[at + 1] ?? last + 1) - line,
  }))
}

function symbolsIn({ symbols, lines }: SourceFile, symbol: CodeSymbol | undefined): Part[] {
  const parent = symbol === undefined ? -1 : symbols.indexOf(symbol)
  const first = symbol === undefined ? 1 : lines.lineAt(symbol.start)
  return symbols
    .filter((inner) => inner.parent === parent)
    .map(({ path, start, end }) => {
      const line = lines.lineAt(start)
      const isBelow = symbol !== undefined && path.startsWith(`${symbol.bare}/`)
      return {
        name: isBelow ? path.slice(symbol.bare.length) : path,
        startLine: line - first + 1,
        lines: lines.lineAt(end - 1) - line + 1,
      }
    })
}

/** Outermost statements with 1 to 12.5 % of the lines. */
function statementsIn({ parsed: { units }, lines }: SourceFile, span: Span): Part[] {
  const first = lines.lineAt(span.start)
  const total = lines.lineAt(Math.max(span.start, span.end - 1)) - first + 1
  const parts: Part[] = []
  let behind = span.start
  for (let at = 0; at < units.length; at += unitSize) {
    const start = units[at] as number
    const end = units[at + 1] as number
    if (start < behind || start <= span.start) continue
    if (start >= span.end) break
    const line = lines.lineAt(start)
    const count = lines.lineAt(Math.max(start, end - 1)) - line + 1
    if (count < total / 100 || count > total / 8) continue
    behind = end
    const name = lines.text(line).trim().slice(0, maxNameLength)
    parts.push({ name, startLine: line - first + 1, lines: count })
  }
  return parts
}
