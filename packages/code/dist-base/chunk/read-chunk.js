import { CodeError } from '../code-error.js';
import { createPages } from '../paging/pages.js';
import { maxPageTokens, readPageSize, sizeText } from '../text/page-size.js';
import { ChunkTokens } from './chunk-tokens.js';
import { partsOf } from './parts.js';
const prepared = new WeakMap();
/**
 * One page of a symbol, or of a whole file.
 *
 * @throws {CodeError} `bad_argument` for an invalid token or line, `content_changed` for a token of
 * another symbol or a former text.
 */
export function readChunk(file, symbol, options, defaults) {
    const span = spanOf(file, symbol);
    const chunk = prepare(file, symbol, span);
    const size = chunk.pages.bounded(sizeOf(chunk, options, defaults));
    const { start, isCorrected } = startOf(file, chunk, span, size, options);
    const { pages, lines } = chunk;
    const page = pages.at(start, size);
    const starts = pages.starts(size);
    const before = starts.filter((at) => at < start);
    const isLast = page.end >= span.end;
    const previous = before.at(-1);
    const totalPages = starts.length;
    // A page that begins elsewhere counts as the one after that which it begins in.
    const currentPage = isLast ? totalPages : Math.min(before.length + 1, Math.max(1, totalPages - 1));
    const first = file.lines.lineAt(span.start);
    const lineOf = (offset) => file.lines.lineAt(offset);
    const tokenOf = (from) => pageTokenOf(chunk, span, from, starts, size, options);
    const announced = announcedEnd(options);
    const isChanged = announced !== undefined && announced !== page.end - span.start;
    const fileStartLine = lineOf(page.start);
    const fileEndLine = lineOf(Math.max(page.start, page.end - 1));
    const { language, unparsed } = file;
    return {
        id: chunk.name,
        file: file.path,
        ...(language && { language: language.name }),
        ...(symbol && { symbol: { path: symbol.path, kind: symbol.kind } }),
        text: file.text.slice(page.start, page.end),
        crumbs: page.crumbs,
        ...(page.leading && symbol && { leading: page.leading }),
        isPartial: page.start > span.start || !isLast,
        totalLines: lines,
        startLine: fileStartLine - first + 1,
        endLine: fileEndLine - first + 1,
        fileStartLine,
        fileEndLine,
        currentPage,
        totalPages,
        ...(!isLast && { nextPageToken: tokenOf(page.end) }),
        ...(previous !== undefined && { prevPageToken: tokenOf(previous) }),
        totalTokens: Math.ceil(pages.tokens()),
        extent: symbol?.extent ?? 'parsed',
        ...(unparsed !== undefined && { unparsed }),
        ...(page.partsBudget > 0 && partsOf(file, symbol, span, starts, page.partsBudget)),
        ...(isCorrected && { isCorrected }),
        ...(isChanged && { isChanged }),
        ...(isInLine(file, span, page.start) && { beginsInLine: true }),
        ...(isInLine(file, span, page.end) && { endsInLine: true }),
    };
}
/** The end that the token said, as an offset in the chunk; undefined if the size is another one. */
const announcedEnd = ({ pageToken, pageSize }) => typeof pageToken === 'object' && pageSize === undefined ? pageToken.end : undefined;
/** True for an offset that is not at the start of a line, nor at an end of the span. */
const isInLine = ({ text }, { start, end }, offset) => offset > start && offset < end && text[offset - 1] !== '\n';
const spanOf = (file, symbol) => symbol ?? { start: 0, body: 0, end: file.text.length };
/** True if a page token is of this symbol, and the text before its page is as it was. */
export const isTokenOf = (file, symbol, token) => prepare(file, symbol, symbol).tokens.fits(token, symbol.end - symbol.start);
function prepare(file, symbol, span) {
    const ofFile = prepared.get(file) ?? new Map();
    prepared.set(file, ofFile);
    const cachedChunk = ofFile.get(symbol);
    if (cachedChunk)
        return cachedChunk;
    const text = file.text.slice(span.start, span.end);
    const made = {
        pages: createPages(file, span),
        name: symbol ? `${file.path}#${symbol.path}` : file.path,
        tokens: new ChunkTokens(file, symbol, text),
        lines: text === '' ? 0 : file.lines.lineAt(span.end - 1) - file.lines.lineAt(span.start) + 1,
        bytes: Buffer.byteLength(text),
    };
    ofFile.set(symbol, made);
    return made;
}
function sizeOf(chunk, options, defaults) {
    const { pageSize, pagingThreshold, pageToken } = options;
    if (pageSize === undefined && typeof pageToken === 'object')
        return readPageSize(pageToken.size);
    const threshold = pagingThreshold === undefined ? undefined : readPageSize(pagingThreshold);
    if (isWithin(chunk, threshold))
        return onePage;
    if (pageSize !== undefined)
        return readPageSize(pageSize);
    return isWithin(chunk, defaults.pagingThreshold) ? onePage : (threshold ?? defaults.size);
}
const onePage = { tokens: maxPageTokens };
function isWithin({ lines, bytes, pages }, threshold) {
    if (!threshold)
        return false;
    const { tokens } = threshold;
    return (lines <= (threshold.lines ?? lines) &&
        bytes <= (threshold.bytes ?? bytes) &&
        (tokens === undefined || pages.tokens() <= tokens));
}
function pageTokenOf({ tokens }, span, from, starts, size, { standalone }) {
    const start = from - span.start;
    if (!standalone)
        return tokens.short(start);
    const end = (starts.find((at) => at > from) ?? span.end) - span.start;
    return tokens.standalone(start, end, sizeText(size));
}
function startOf(file, chunk, span, size, { pageToken, startLine }) {
    if (pageToken === undefined || pageToken === '')
        return { start: startLine === undefined ? span.start : lineStart(file, chunk, span, startLine) };
    if (startLine !== undefined)
        throw new CodeError('bad_argument', `Both a page token and line ${startLine} say where to begin.`, 'Pass one of them.');
    const starts = () => chunk.pages.starts(size).map((at) => at - span.start);
    try {
        const length = span.end - span.start;
        const { start, ...rest } = chunk.tokens.startOf(pageToken, starts, length);
        return { start: span.start + start, ...rest };
    }
    catch (error) {
        if (!(error instanceof CodeError && error.code === 'content_changed'))
            throw error;
        throw withPlace(error, file, span, pageToken);
    }
}
/** The error for a token of another text, with the line where its page was. */
function withPlace({ code, message }, { lines }, span, pageToken) {
    const start = typeof pageToken === 'string' ? Number.parseInt(pageToken, 10) : pageToken.start;
    const offset = Math.min(span.start + (start || 0), Math.max(span.start, span.end - 1));
    const line = lines.lineAt(offset) - lines.lineAt(span.start) + 1;
    return new CodeError(code, message, `Begin again at the first page, without a token, or about where the page was, at line ${line}.`, { line });
}
function lineStart(file, { name, lines }, span, line) {
    if (!Number.isInteger(line) || line < 1 || line > Math.max(1, lines))
        throw new CodeError('bad_argument', `Line ${line} is outside ${name}, which has ${lines} ${lines === 1 ? 'line' : 'lines'}.`, `Pass a line from 1 to ${lines}.`);
    return Math.max(span.start, file.lines.startOf(file.lines.lineAt(span.start) + line - 1));
}
//# sourceMappingURL=read-chunk.js.map