import { createRanker, termsOf } from '@pith-mcp/scorer';
import { inTurns } from '../text/in-turns.js';
/** Fields by which listed symbols are ranked. */
export const symbolFields = [
    { name: 'name', text: ({ path }) => path.slice(path.lastIndexOf('/') + 1), weight: 6 },
    { name: 'name path', text: ({ path }) => path.replaceAll('/', ' '), weight: 3 },
    { name: 'signature', text: ({ signature }) => signature, weight: 1 },
];
/** At most this many symbols are ranked at once, which takes some 30 ms. */
const maxRanked = 5_000;
/** At most this many words of a query are counted. */
const maxWords = 12;
/**
 * Symbols by the words of a query, best first. Of more than 5,000, those of the highest worth are
 * ranked, which by default is their number of words; `unranked` is the number of the others.
 */
export async function rankSymbols(symbols, query, fields, worthOf = wordCounter(query, fields)) {
    const pool = symbols.length > maxRanked ? await worthiest(symbols, maxRanked, worthOf) : symbols;
    const ranker = createRanker([], { fields });
    await inTurns(pool, ranker.add);
    const ranked = ranker.rank(query, { limit: pool.length }).map(({ item }) => item);
    return { ranked, unranked: symbols.length - pool.length };
}
/** Counts the words of a query in the texts of a symbol, where they may be parts of words. */
function wordCounter(query, fields) {
    const rawWords = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const words = [...new Set([...termsOf(query), ...rawWords])].slice(0, maxWords);
    return (symbol) => {
        const texts = fields.map(({ text }) => text(symbol)).join(' ');
        const lower = texts.toLowerCase();
        return words.filter((word) => lower.includes(word)).length;
    };
}
/** The items of the highest worth, in their order. */
async function worthiest(items, limit, worthOf) {
    const worths = new Float64Array(items.length);
    const totals = new Map();
    await inTurns(items, (item, index) => {
        const worth = worthOf(item, index);
        worths[index] = worth;
        totals.set(worth, (totals.get(worth) ?? 0) + 1);
    });
    let least = Number.POSITIVE_INFINITY;
    let room = limit;
    for (const [worth, total] of [...totals].sort(([a], [b]) => b - a)) {
        least = worth;
        if (total >= room)
            break;
        room -= total;
    }
    return items.filter((_, index) => {
        const worth = worths[index];
        return worth > least || (worth === least && room-- > 0);
    });
}
//# sourceMappingURL=rank-symbols.js.map