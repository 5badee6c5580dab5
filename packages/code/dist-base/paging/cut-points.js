import { lastAtMost } from '@pith-mcp/paginator';
import { unitSize } from '../parse/parsed.js';
import { lineStartOver } from '../text/lines.js';
/**
 * The starts of lines at which a statement or member of a span begins, including preceding
 * comments. Linear in the number of statements.
 */
export function cutPoints({ text, parsed }, span) {
    const { units, leads } = parsed;
    const positions = [];
    const depths = [];
    const open = [];
    let last = span.start;
    for (let at = firstBehind(units, span.start); at < units.length; at += unitSize) {
        const start = units[at];
        if (start >= span.end)
            break;
        while (open.length > 0 && open.at(-1) <= start)
            open.pop();
        const depth = open.length;
        open.push(units[at + 1]);
        const line = lineStartOver(text, start);
        if (line === undefined)
            continue;
        const position = withLeads(text, leads, line);
        if (position <= last)
            continue;
        positions.push(position);
        depths.push(depth);
        last = position;
    }
    return { positions, depths };
}
/** At most this many open statements, from the innermost. */
const maxOpen = 64;
/** The statements of a span that are open at an offset where another begins, outermost first. */
export function unitsAround({ parsed }, span, position) {
    const { units } = parsed;
    const holders = holdersOf(parsed);
    const next = firstBehind(units, position - 1) / unitSize;
    const around = [];
    let inner = next * unitSize < units.length && holders[next] !== -1
        ? units[next * unitSize + 2]
        : undefined;
    for (let at = next - 1; at >= 0 && around.length < maxOpen; at = holders[at]) {
        const [start = 0, end = 0, block = 0] = units.subarray(at * unitSize, (at + 1) * unitSize);
        if (start <= span.start)
            break;
        if (end <= position)
            continue;
        const isIn = inner !== undefined && inner > start && inner < end;
        around.push({ start, ...(isIn && { block: inner }) });
        inner = block;
    }
    return around.reverse();
}
const holdersByParsed = new WeakMap();
/** For each unit, the index of its parent or -1. */
function holdersOf(parsed) {
    const cachedHolders = holdersByParsed.get(parsed);
    if (cachedHolders)
        return cachedHolders;
    const { units } = parsed;
    const holders = new Int32Array(units.length / unitSize);
    let open = -1;
    for (let at = 0; at < holders.length; at++) {
        const start = units[at * unitSize];
        while (open >= 0 && units[open * unitSize + 1] <= start)
            open = holders[open];
        holders[at] = open;
        open = at;
    }
    holdersByParsed.set(parsed, holders);
    return holders;
}
const firstBehind = (units, offset) => (lastAtMost(units.length / unitSize, (at) => units[at * unitSize], offset) + 1) *
    unitSize;
/** Characters of white space between a comment and its statement. */
const maxGap = 500;
/** The start of the line, or of the comments directly above it. */
function withLeads(text, leads, line) {
    let position = line;
    for (let at = lastBefore(leads, position); at >= 0; at -= 2) {
        const begin = lineStartOver(text, leads[at]);
        const end = leads[at + 1];
        const isNear = position - end <= maxGap;
        if (begin === undefined || !isNear || !/^[ \t\r]*\n?[ \t]*$/.test(text.slice(end, position)))
            break;
        position = begin;
    }
    return position;
}
const lastBefore = (pairs, offset) => lastAtMost(pairs.length / 2, (at) => pairs[at * 2], offset - 1) * 2;
/** The start of the comments directly above a line, or of the line. */
export const linesBefore = ({ text, parsed }, line) => withLeads(text, parsed.leads, line);
/** True if an offset is within a multi-line string or comment. */
export function isInToken({ parsed: { tokens } }, offset) {
    const at = lastBefore(tokens, offset);
    return at >= 0 && tokens[at + 1] > offset;
}
//# sourceMappingURL=cut-points.js.map