import { estimateTokens } from '@pith-mcp/paginator';
import { unitSize } from '../parse/parsed.js';
const maxParts = 40;
/** A list with fewer parts is of no use. */
const few = 4;
const maxNameLength = 80;
/** Tokens of the heading of the list, and of the numbers of each part. */
const tokensOfHead = 60;
const tokensOfLine = 6;
/**
 * Parts to jump to in a chunk of many pages, in order: its largest symbols; if there are few, its
 * long statements; if there are few of those too, the first lines of its pages. The list has at
 * most `tokens`.
 */
export function partsOf(file, symbol, span, starts, tokens) {
    const kinds = [
        () => symbolsIn(file, symbol),
        () => statementsIn(file, span),
        () => pagesOf(file, span, starts),
    ];
    let all = [];
    for (const kind of kinds)
        if (all.length < few)
            all = kind();
    // A line leads to all parts that begin on it; one line for all of them leads nowhere.
    const lineCount = new Set(all.map(({ startLine }) => startLine)).size;
    if (lineCount === 1)
        return { parts: [] };
    let room = tokens - tokensOfHead;
    const largest = all
        .toSorted((a, b) => b.lines - a.lines)
        .slice(0, maxParts)
        .filter(({ name }) => {
        room -= estimateTokens(name) + tokensOfLine;
        return room >= 0;
    });
    const parts = largest.toSorted((a, b) => a.startLine - b.startLine);
    return { parts, ...(all.length > parts.length && { moreParts: all.length - parts.length }) };
}
/** Every second or third page, if there are many. */
function pagesOf({ lines }, span, starts) {
    const step = Math.ceil(starts.length / maxParts);
    const startLines = starts.filter((_, at) => at % step === 0).map((start) => lines.lineAt(start));
    const first = lines.lineAt(span.start);
    const last = lines.lineAt(Math.max(span.start, span.end - 1));
    return startLines.map((line, at) => ({
        name: lines.text(line).trim().slice(0, maxNameLength),
        startLine: line - first + 1,
        lines: (startLines[at + 1] ?? last + 1) - line,
    }));
}
function symbolsIn({ symbols, lines }, symbol) {
    const parent = symbol === undefined ? -1 : symbols.indexOf(symbol);
    const first = symbol === undefined ? 1 : lines.lineAt(symbol.start);
    return symbols
        .filter((inner) => inner.parent === parent)
        .map(({ path, start, end }) => {
        const line = lines.lineAt(start);
        const isBelow = symbol !== undefined && path.startsWith(`${symbol.bare}/`);
        return {
            name: isBelow ? path.slice(symbol.bare.length) : path,
            startLine: line - first + 1,
            lines: lines.lineAt(end - 1) - line + 1,
        };
    });
}
/** Outermost statements with 1 to 12.5 % of the lines. */
function statementsIn({ parsed: { units }, lines }, span) {
    const first = lines.lineAt(span.start);
    const total = lines.lineAt(Math.max(span.start, span.end - 1)) - first + 1;
    const parts = [];
    let behind = span.start;
    for (let at = 0; at < units.length; at += unitSize) {
        const start = units[at];
        const end = units[at + 1];
        if (start < behind || start <= span.start)
            continue;
        if (start >= span.end)
            break;
        const line = lines.lineAt(start);
        const count = lines.lineAt(Math.max(start, end - 1)) - line + 1;
        if (count < total / 100 || count > total / 8)
            continue;
        behind = end;
        const name = lines.text(line).trim().slice(0, maxNameLength);
        parts.push({ name, startLine: line - first + 1, lines: count });
    }
    return parts;
}
//# sourceMappingURL=parts.js.map