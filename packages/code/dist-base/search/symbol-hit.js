import { isTest } from '../access/test-files.js';
import { rankSymbols, symbolFields } from '../outline/rank-symbols.js';
import { listedSymbol } from '../outline/signature.js';
import { filterInTurns, inTurns } from '../text/in-turns.js';
import { keyOf } from '../text/name-key.js';
import { worthOfWhole } from './query-words.js';
import { kindRank } from './read-query.js';
export function hitOf(file, symbol) {
    const { path, kind, signature, startLine, endLine } = listedSymbol(file, symbol);
    // Not spread, which takes ten times as long.
    const hit = {
        id: `${file.path}#${path}`,
        file: file.path,
        path,
        kind,
        signature,
        startLine,
        endLine,
    };
    return symbol.isDeclaration ? { ...hit, isDeclaration: true } : hit;
}
/** A file as a whole. */
export const fileHit = ({ path, lines }) => ({
    id: path,
    file: path,
    path,
    kind: 'file',
    signature: '',
    startLine: 1,
    endLine: lines.count,
});
/** Score of a hit, on the scale of `maxInLine`. */
export const worthOf = (hit, words, query) => Math.max(wordsIn(hit, words), isSpelled(hit, words) ? words.count : 0) +
    (isNamed(hit, query) ? worthOfWhole : 0);
/** True if its name is that of the query in another spelling: `load_all` for `loadAll`. */
const isSpelled = ({ path }, { names }) => names.length > 0 && keyOf(path.slice(path.lastIndexOf('/') + 1)) === keyOf(names.join(''));
/** The number of words that its name and signature contain. */
function wordsIn({ path, signature }, { pattern, count }) {
    const matches = new Set();
    for (const [word] of `${path} ${signature}`.matchAll(pattern))
        matches.add(word.toLowerCase());
    return Math.min(matches.size, count);
}
/**
 * Best first: those with the name of the query, outside tests, with a body, of the preferred kind;
 * then the others by their words. `worths` are those of the hits.
 */
export async function rankHits(hits, { text, prefers }, worths) {
    // A name of punctuation only has no terms for ranking.
    const isOfSigns = !/[\p{L}\p{N}]/u.test(text);
    const ranked = isOfSigns
        ? await filterInTurns(hits, ({ path }) => path.includes(text))
        : await byWords(hits, text, worths);
    const classes = [];
    await inTurns(ranked, (hit) => {
        const at = isNamed(hit, text)
            ? 3 * asideOf(hit) + kindRank(hit.kind, prefers)
            : 12 + (kindRank(hit.kind, 'type') >> 1);
        classes[at] ??= [];
        classes[at].push(hit);
    });
    return classes.flat();
}
/** 0 for a definition with a body outside tests; what is less has a higher number. */
export const asideOf = ({ file, isDeclaration }) => (isTest(file) ? 2 : 0) + (isDeclaration ? 1 : 0);
async function byWords(hits, query, worths) {
    const file = { name: 'file', text: ({ file }) => file, weight: 0.5 };
    const worthOfHit = (_, index) => worths[index];
    return (await rankSymbols(hits, query, [...symbolFields, file], worthOfHit)).ranked;
}
/** True if the query is its name, its name path or the end of it. */
export function isNamed({ path }, query) {
    return `/${path.replace(/\[\d+\]$/, '')}`.endsWith(`/${namePath(query.trim())}`);
}
const namePath = (name) => name.replace(/::|[.#]/g, '/');
/** Hits of which the match is judged. */
const maxJudged = 200;
/** `words` are those that were looked for; undefined if no file has any. */
export function matchOf({ text, isPart }, words, hits) {
    if (!words)
        return 'similar';
    const judged = hits.slice(0, maxJudged);
    const lower = text.toLowerCase();
    const lowerNames = judged.map((hit) => ({ ...hit, path: hit.path.toLowerCase() }));
    if (!isPart && lowerNames.some((hit) => isNamed(hit, lower)))
        return 'name';
    if (!/\s/.test(lower)) {
        if (lowerNames.some(({ path }) => path.includes(namePath(lower))))
            return 'within';
        const isIn = ({ signature }) => signature.toLowerCase().includes(lower);
        return judged.some(isIn) ? 'signature' : 'parts';
    }
    return judged.some((hit) => wordsIn(hit, words) === words.count) ? 'words' : 'parts';
}
//# sourceMappingURL=symbol-hit.js.map