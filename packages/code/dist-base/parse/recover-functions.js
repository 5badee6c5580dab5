import { lastAtMost } from '@pith-mcp/paginator';
import { lineStart } from '#base/line-start';
import { unitSize } from './parsed.js';
import { scanBlocks } from './scan-blocks.js';
/**
 * Where the parser failed: find the ends of functions by their braces, their statements, and lost
 * functions. Correctly parsed parts are unchanged.
 */
export function recoverFunctions(parsed, text, language) {
    const { lexis, headers, hasHereDocuments = false } = language;
    if (!parsed.hasErrors)
        return parsed;
    if (headers)
        return {
            ...parsed,
            definitions: nested(byHeaders(parsed, scanHeaders(text, headers, hasHereDocuments), text)),
        };
    if (!lexis)
        return parsed;
    const scanned = scanBlocks(text, lexis);
    const retained = parsed.definitions.map((definition) => corrected(definition, scanned));
    if (!lexis.hasFunctions)
        return { ...parsed, definitions: nested(retained) };
    const bodies = new Set(retained.map(({ body }) => body));
    const lost = scanned.functions.filter(({ body }) => !bodies.has(body)).map(asDefinition);
    const isDoubtful = ({ kind, hasError, isRecovered }) => (hasError || isRecovered) && kind === 'function';
    const doubtful = outermost([...retained.filter(isDoubtful), ...lost]);
    return {
        ...parsed,
        definitions: nested([...retained, ...lost]),
        // On demand: an outline has no use for them.
        get units() {
            return replaced(parsed.units, scanned.units, unitSize, doubtful);
        },
        get leads() {
            return replaced(parsed.leads, scanned.leads, 2, doubtful);
        },
    };
}
function corrected(definition, { closes }) {
    const end = definition.hasError ? closes.get(definition.body) : undefined;
    return end === undefined || end === definition.end
        ? definition
        : { ...definition, end, isRecovered: true };
}
const asDefinition = ({ name, start, body, end }) => ({
    name: name.split('::').join('/'),
    kind: 'function',
    start,
    own: start,
    body,
    end,
    parent: -1,
    isRecovered: true,
});
/** Find lost definitions, and the ends of broken ones, by indentation. */
function byHeaders({ definitions }, scanned, text) {
    const byName = new Map();
    for (const definition of definitions) {
        const name = lastPart(definition.name);
        const same = byName.get(name);
        if (same)
            same.push(definition);
        else
            byName.set(name, [definition]);
    }
    const ends = new Map();
    const lost = [];
    for (const { name, kind, start, end } of scanned) {
        const same = byName.get(lastPart(name)) ?? [];
        const at = lastAtMost(same.length, (index) => lineStart(text, same[index]?.own ?? 0), start);
        const match = same[at];
        if (match && start < Math.max(match.body, match.own + 1))
            ends.set(match, end);
        else {
            const brace = text.slice(start, end).indexOf('{');
            const body = brace < 0 ? end : start + brace;
            lost.push({ name, kind, start, own: start, body, end, parent: -1, isRecovered: true });
        }
    }
    const retained = definitions.map((definition) => {
        const end = definition.hasError && ends.get(definition);
        return end && end !== definition.end ? { ...definition, end, isRecovered: true } : definition;
    });
    return [...retained, ...lost];
}
const lastPart = (path) => path.slice(path.lastIndexOf('/') + 1);
const inOrder = (a, b) => a.start - b.start || b.end - a.end;
/** Set the parent of each definition. */
function nested(definitions) {
    const open = [];
    const sorted = definitions.toSorted(inOrder);
    return sorted.map((definition, index) => {
        while (open.length > 0 && (sorted[open.at(-1)]?.end ?? 0) <= definition.start)
            open.pop();
        const parent = open.at(-1) ?? -1;
        open.push(index);
        return { ...definition, parent };
    });
}
function outermost(definitions) {
    let end = -1;
    return definitions.toSorted(inOrder).filter((definition) => {
        if (definition.start < end)
            return false;
        end = definition.end;
        return true;
    });
}
/** Spans of the tree, replaced within `ranges` by those of the scanner; both are sorted. */
function replaced(parsed, scanned, size, ranges) {
    const merged = new Uint32Array(parsed.length + scanned.length);
    let length = 0;
    let at = 0;
    const take = (from, index) => {
        for (let part = 0; part < size; part++)
            merged[length++] = from[index + part];
    };
    const takeScanned = (until) => {
        for (; at < scanned.length && scanned[at] < until; at += size)
            if (isWithin(ranges, scanned[at]))
                take(scanned, at);
    };
    for (let index = 0; index < parsed.length; index += size) {
        const start = parsed[index];
        if (isWithin(ranges, start))
            continue;
        takeScanned(start);
        take(parsed, index);
    }
    takeScanned(Number.POSITIVE_INFINITY);
    return merged.slice(0, length);
}
/** True if a position is in the body of a range; ranges are sorted and do not overlap. */
function isWithin(ranges, position) {
    const range = ranges[lastAtMost(ranges.length, (at) => ranges[at]?.start ?? 0, position)];
    return range !== undefined && position > range.body && position < range.end;
}
/** What begins and ends a text block. */
const marks = ['"""', "'''"];
/** The end mark of a text block or here-document that begins in a line. */
function endOfText(line, hasHereDocuments) {
    if (hasHereDocuments && !line.includes('"""'))
        return line.includes('((') ? undefined : /(?<!<)<<-?\s*["'\\]?(\w+)/.exec(line)?.[1];
    const mark = marks.find((delimiter) => line.includes(delimiter));
    return mark !== undefined && line.split(mark).length % 2 === 0 ? mark : undefined;
}
/** True if a brace that closes at an indentation also ends the definition. */
const isInside = (block, indent) => block !== undefined && !block.isBraced && block.indent.length > indent.length;
const opensBlock = /\{[ \t]*(?:(?:#|\/\/).*)?$/;
/**
 * Find definitions by their first lines and indentation alone, for texts with syntax errors.
 * `headers` has a group `name`, and a group `class` for classes. In the order of the file. Linear
 * in the length of the text.
 */
function scanHeaders(text, headers, hasHereDocuments) {
    const blocks = [];
    const open = [];
    let lastEnd = 0;
    // End mark of the open multi-line text.
    let textEnd;
    for (let at = 0; at < text.length;) {
        const newline = text.indexOf('\n', at);
        const next = newline < 0 ? text.length : newline + 1;
        const line = text.slice(at, next).trimEnd();
        const rest = line.trimStart();
        if (textEnd !== undefined) {
            const isEnd = marks.includes(textEnd) ? line.includes(textEnd) : rest === textEnd;
            if (isEnd)
                textEnd = undefined;
        }
        else if (rest !== '') {
            textEnd = endOfText(line, hasHereDocuments);
            const indent = line.slice(0, line.length - rest.length);
            const end = at + line.length;
            closeAt(indent, rest, end);
            const match = headers.exec(line)?.groups;
            if (match?.['name'])
                open.push({
                    name: match['name'],
                    kind: match['class'] ? 'class' : 'function',
                    start: at,
                    end: text.length,
                    indent,
                    isBraced: opensBlock.test(rest),
                });
            lastEnd = end;
        }
        at = next;
    }
    while (open.length > 0)
        close(lastEnd);
    return blocks.toSorted((a, b) => a.start - b.start);
    function closeAt(indent, rest, end) {
        if (rest.startsWith('}')) {
            while (isInside(open.at(-1), indent))
                close(lastEnd);
            const closed = open.findLastIndex((block) => block.isBraced && block.indent === indent);
            if (closed < 0)
                return;
            while (open.length > closed + 1)
                close(lastEnd);
            close(end);
            return;
        }
        for (let top = open.at(-1); top && !top.isBraced; top = open.at(-1)) {
            if (indent.length > top.indent.length)
                return;
            if (/^(?:[{)\]>]|->|(?:where|async|throws|rethrows)\b)/.test(rest)) {
                top.isBraced = opensBlock.test(rest);
                return;
            }
            close(lastEnd);
        }
    }
    function close(end) {
        const closed = open.pop();
        if (closed)
            blocks.push({ name: closed.name, kind: closed.kind, start: closed.start, end });
    }
}
//# sourceMappingURL=recover-functions.js.map