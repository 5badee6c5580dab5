import { estimateTokens } from '@pith-mcp/paginator';
import { LRUCache } from 'lru-cache';
import { defaultPageTokens, limitOf, maxPageTokens, measureText, sizeText, } from '../text/page-size.js';
import { breadcrumbs, maxRepeated } from './breadcrumbs.js';
import { chooseCut } from './choose-cut.js';
import { cutPoints } from './cut-points.js';
import { leadingOf } from './leading.js';
/** Tokens of the lines above and below a page, with the next call. */
const envelope = 120;
/** A span of more pages lists its parts on the first page. */
const fewPages = 10;
/** Share of a first page that comments above it may take, and what is kept free for them. */
const maxLeading = 0.2;
const keptForLeading = 0.1;
/** Maximum number of pages of a span: smaller pages are enlarged. */
const maxPages = 4_000;
/** The pages of a part of a file, computed lazily. */
export function createPages(file, span) {
    const text = file.text.slice(span.start, span.end);
    let cuts;
    const measures = new Map();
    const measure = (unit) => {
        const unitMeasure = measures.get(unit) ?? measureText(text, unit);
        measures.set(unit, unitMeasure);
        return unitMeasure;
    };
    const startsBySize = new LRUCache({ max: maxSizes });
    return {
        starts,
        at,
        bounded: (size) => Object.fromEntries(Object.entries(size).map(([unit, amount]) => {
            const least = Math.ceil(measure(unit).between(0, text.length) / maxPages);
            return [unit, Math.max(amount, least)];
        })),
        tokens: () => measure('tokens').between(0, text.length),
    };
    function at(start, size) {
        const tokens = size.tokens ?? defaultPageTokens;
        const isFirst = start === span.start;
        const crumbs = breadcrumbs(file, span, start, tokens * maxRepeated);
        const partsBudget = isFirst && isOfMany(size) ? budgetForParts(tokens) : 0;
        const around = crumbs.reduce((sum, { text: line }) => sum + estimateTokens(line) + 3, partsBudget + envelope);
        const rest = { crumbs, partsBudget };
        const from = start - span.start;
        const limit = (spent) => limitOf(size, measure, from, Math.min(spent, tokens / 2)) + span.start;
        if (limit(around) >= span.end) {
            const most = (size.tokens ?? maxPageTokens) - around;
            const free = most - measure('tokens').between(from, text.length);
            return { start, end: span.end, ...rest, ...above(Math.min(free, tokens * maxLeading)) };
        }
        // Comments above change without the chunk; where its pages begin must not depend on them.
        const reserve = isFirst ? tokens * keptForLeading : 0;
        const last = limit(around + reserve);
        // A line longer than the page is cut between characters.
        const least = start + charactersWithin(file.text, start, size);
        cuts ??= cutPoints(file, span);
        const end = chooseCut(file, cuts, start, last > start ? last : Math.min(least, span.end));
        return { start, end: Math.min(end, span.end), ...rest, ...above(reserve) };
        /** The comments above, at most so many tokens with the numbers of their lines. */
        function above(most) {
            const leading = isFirst && most > 0 ? leadingOf(file, span, most / 1.3) : undefined;
            return leading ? { leading } : {};
        }
    }
    function isOfMany(size) {
        return Object.entries(size).some(([unit, amount]) => measure(unit).between(0, text.length) > fewPages * amount);
    }
    function starts(size) {
        const key = sizeText(size);
        const cachedStarts = startsBySize.get(key);
        if (cachedStarts)
            return cachedStarts;
        const all = [];
        for (let start = span.start; start < span.end; start = at(start, size).end)
            all.push(start);
        if (all.length === 0)
            all.push(span.start);
        startsBySize.set(key, all);
        return all;
    }
}
const budgetForParts = (tokens) => Math.floor(Math.max(tokens * 0.12, Math.min(120, tokens * 0.3)));
/** Number of page sizes whose starts are cached. */
const maxSizes = 4;
/** Lower bound, for the densest text. */
const charactersPerToken = 1;
/** How much of a long line a page holds, in UTF-16 code units; at least one character. */
function charactersWithin(text, start, size) {
    const most = Math.ceil((size.tokens ?? defaultPageTokens) * charactersPerToken);
    if (size.bytes === undefined)
        return most;
    const part = text.slice(start, start + Math.min(most, size.bytes));
    const { read } = new TextEncoder().encodeInto(part, new Uint8Array(Math.min(size.bytes, part.length * 3)));
    return Math.max(1, read);
}
//# sourceMappingURL=pages.js.map