import { decodePageToken, encodePageToken } from '@pith-mcp/paginator'
import { CodeError } from '../code-error.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import type { Span } from '../paging/cut-points.ts'
import { createPages, type Pages } from '../paging/pages.ts'
import { maxPageTokens, type PageSize, readPageSize, sizeText } from '../text/page-size.ts'
import type { Chunk, ChunkOptions } from './chunk.ts'
import { addressText } from './page-address.ts'
import { partsOf } from './parts.ts'
import { TextBefore } from './text-before.ts'

/** How pages are cut if a call does not specify it. */
export interface PageDefaults {
  size: PageSize
  /** A symbol of at most this size is one page, if the maximum page size allows it. */
  pagingThreshold?: PageSize | undefined
}

/** With the end that a token announced, as an offset in the chunk. */
export interface PlacedOptions extends ChunkOptions {
  end?: number
}

/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 60

/** Data of a chunk that is the same for all its pages. */
interface Prepared {
  pages: Pages
  /** For messages and ids. */
  name: string
  /** For tokens: without the number that a symbol has among those with its name. */
  resource: string
  before: TextBefore
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
  options: PlacedOptions,
  defaults: PageDefaults,
): Chunk {
  const span = spanOf(file, symbol)
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
  const tokenOf = (from: number): string => pageTokenOf(known, span, from, starts, size, options)
  const isChanged = options.end !== undefined && options.end !== page.end - span.start
  const fileStartLine = lineOf(page.start)
  const fileEndLine = lineOf(Math.max(page.start, page.end - 1))
  const { language, unparsed } = file
  return {
    id: known.name,
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
    ...(!isLast && { nextPageToken: tokenOf(page.end) }),
    ...(previous !== undefined && { prevPageToken: tokenOf(previous) }),
    totalTokens: Math.ceil(pages.tokens()),
    extent: symbol?.extent ?? 'parsed',
    ...(unparsed !== undefined && { unparsed }),
    ...(page.partsBudget > 0 && partsOf(file, symbol, span, starts, page.partsBudget)),
    ...(isCorrected && { isCorrected }),
    ...(isChanged && { isChanged }),
  }
}

const spanOf = (file: SourceFile, symbol: CodeSymbol | undefined): Span =>
  symbol ?? { start: 0, body: 0, end: file.text.length }

/** True if a page token is of this symbol, and the text before its page is as it was. */
export function isTokenOf(file: SourceFile, symbol: CodeSymbol, pageToken: string): boolean {
  const { resource, before } = prepare(file, symbol, symbol)
  const content = (start: number): string => before.digest(start)
  const decoded = decodePageToken(pageToken, { resource, content })
  return decoded.ok && decoded.start < symbol.end - symbol.start
}

function prepare(file: SourceFile, symbol: CodeSymbol | undefined, span: Span): Prepared {
  const ofFile = prepared.get(file) ?? new Map<CodeSymbol | undefined, Prepared>()
  prepared.set(file, ofFile)
  const known = ofFile.get(symbol)
  if (known) return known
  const text = file.text.slice(span.start, span.end)
  const made: Prepared = {
    pages: createPages(file, span),
    name: symbol ? `${file.path}#${symbol.path}` : file.path,
    resource: symbol ? `${file.path}#${symbol.bare}` : file.path,
    // A token is valid for the text before its page, wherever in the file: edits behind are free.
    before: new TextBefore(text),
    lines: text === '' ? 0 : file.lines.lineAt(span.end - 1) - file.lines.lineAt(span.start) + 1,
    bytes: Buffer.byteLength(text),
  }
  ofFile.set(symbol, made)
  return made
}

function sizeOf(known: Prepared, options: ChunkOptions, defaults: PageDefaults): PageSize {
  const { pageSize, pagingThreshold } = options
  const threshold = pagingThreshold === undefined ? undefined : readPageSize(pagingThreshold)
  if (isWithin(known, threshold)) return whole
  if (pageSize !== undefined) return readPageSize(pageSize)
  return isWithin(known, defaults.pagingThreshold) ? whole : (threshold ?? defaults.size)
}

const whole: PageSize = { tokens: maxPageTokens }

function isWithin({ lines, bytes, pages }: Prepared, threshold: PageSize | undefined): boolean {
  if (!threshold) return false
  const { tokens } = threshold
  return (
    lines <= (threshold.lines ?? lines) &&
    bytes <= (threshold.bytes ?? bytes) &&
    (tokens === undefined || pages.tokens() <= tokens)
  )
}

function pageTokenOf(
  { name, resource, before }: Prepared,
  span: Span,
  from: number,
  starts: readonly number[],
  size: PageSize,
  { standalone }: ChunkOptions,
): string {
  const start = from - span.start
  const token = encodePageToken({ resource, start, content: before.digest(start) })
  if (!standalone) return token
  const end = (starts.find((at) => at > from) ?? span.end) - span.start
  const tag = token.slice(token.indexOf('.') + 1)
  return addressText({ id: name, start, end, size: sizeText(size), tag })
}

function startOf(
  file: SourceFile,
  known: Prepared,
  span: Span,
  size: PageSize,
  { pageToken, startLine }: ChunkOptions,
): { start: number; isCorrected?: true } {
  if (pageToken === undefined || pageToken === '')
    return { start: startLine === undefined ? span.start : lineStart(file, known, span, startLine) }
  const { name: chunk, resource, before, pages } = known
  const starts = (): number[] => pages.starts(size).map((at) => at - span.start)
  const content = (start: number): string => before.digest(start)
  const decoded = decodePageToken(pageToken, { resource, content, starts })
  if (decoded.ok) {
    const start = span.start + decoded.start
    if (start < span.end) return { start, ...(decoded.corrected && { isCorrected: true }) }
  }
  const name = JSON.stringify(pageToken.slice(0, maxShownLength))
  if (!decoded.ok && decoded.reason === 'content_changed')
    throw changed(file, span, known, pageToken, decoded.first)
  const valid = decoded.ok ? [] : (decoded.valid ?? [])
  throw new CodeError(
    'bad_argument',
    `${name} is not a page token of ${chunk}.`,
    `Pass a page token exactly as in the reply: ${valid.join(', ')}${valid.length < starts().length ? ', …' : ''}.`,
  )
}

/** The error for a token of another text, with the line where its page was. */
function changed(
  file: SourceFile,
  span: Span,
  { name }: Prepared,
  pageToken: string,
  first: string | undefined,
): CodeError {
  const start = Number(/\d+/.exec(pageToken)?.[0])
  const offset = span.start + Math.min(start || 0, span.end - span.start - 1)
  const line = file.lines.lineAt(Math.max(span.start, offset)) - file.lines.lineAt(span.start) + 1
  return new CodeError(
    'content_changed',
    `The page token ${JSON.stringify(pageToken.slice(0, maxShownLength))} is not of this text of ${name}: it is of another function, or the text before its page has changed since (content_changed).`,
    `Begin again at the first page, ${first}, or about where the page was, at line ${line} of the function.`,
    { line },
  )
}

function lineStart(file: SourceFile, { name, lines }: Prepared, span: Span, line: number): number {
  if (!Number.isInteger(line) || line < 1 || line > Math.max(1, lines))
    throw new CodeError(
      'bad_argument',
      `Line ${line} is outside ${name}, which has ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
      `Pass a line from 1 to ${lines}.`,
    )
  return Math.max(span.start, file.lines.startOf(file.lines.lineAt(span.start) + line - 1))
}
