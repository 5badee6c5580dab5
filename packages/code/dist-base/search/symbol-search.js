import { LRUCache } from 'lru-cache';
import { stampOf } from '../access/read-text.js';
import { CodeError } from '../code-error.js';
import { rankDescribed } from '../describe/rank-symbols.js';
import { inTurns } from '../text/in-turns.js';
import { addUnparsed } from './account.js';
import { isGlob } from './glob.js';
import { anyWords, readingsOf } from './query-words.js';
import { readFindQuery } from './read-query.js';
import { fileHit, hitOf, isNamed, matchOf, rankHits, worthOf, } from './symbol-hit.js';
/** Maximum number of cached symbols over all files. */
const maxCached = 400_000;
/** The share of the time in which files are searched; the rest is for parsing those with words. */
const searchShare = 0.6;
/** At most this many files that have only parts of a name are parsed in one call. */
const maxParsed = 60;
/** Of so many files that words describe best, more than the best symbol is shown. */
const fullFiles = 3;
const symbolsOfFull = 2;
/** Searches for symbols whose names or signatures contain words of a query. */
export class SymbolSearch {
    #roots;
    #files;
    #source;
    #limits;
    #cache = new LRUCache({
        maxSize: maxCached,
        sizeCalculation: ({ hits }) => hits.length + 1,
    });
    constructor(roots, files, source, limits) {
        this.#roots = roots;
        this.#files = files;
        this.#source = source;
        this.#limits = limits;
    }
    async find(text, { path, maxResults = 20, signal, onProgress } = {}) {
        const { waitMs, maxFiles } = this.#limits;
        const until = performance.now() + waitMs;
        const query = readFindQuery(text);
        const readings = readingsOf(query.text, query.isPart);
        const scope = { ...(await placeOf(this.#roots, path)), maxFiles, waitMs: waitMs * searchShare };
        const described = /\s/.test(query.text)
            ? await this.#source.describe(query.text, scope, signal)
            : undefined;
        if (described && described.files.length > 0)
            return this.#describedSymbols(query.text, described, maxResults);
        const { reading, files, account, others } = await this.#source.candidates(readings, scope, signal);
        const words = readings[reading] ?? anyWords;
        const collected = collectHits(query.text, words);
        let { unparsed } = account;
        let done = 0;
        let parsed = 0;
        let isEnough = false;
        for (const { real, most } of files) {
            signal?.throwIfAborted();
            isEnough = collected.cannotImprove(most, maxResults);
            // Each search reads a file, so that repeating it ends.
            const isOver = done > 0 && performance.now() > until;
            if (isEnough || isOver || parsed >= maxParsed)
                break;
            const read = await this.#read(real);
            if (reading > 0 && !read.isCached)
                parsed++;
            await collected.add(read.hits);
            if (read.unparsed !== undefined)
                unparsed = addUnparsed(unparsed, read.unparsed, this.#roots.nameOf(real));
            done++;
            onProgress?.(done, files.length);
        }
        const ranked = await rankHits(collected.hits, query, collected.worths);
        const named = query.isPart ? [] : ranked.filter((hit) => isNamed(hit, query.text));
        const hits = named.length > 0 ? named : ranked;
        const leftOut = ranked.length - hits.length;
        // An index counts names; bytes are not read to the end.
        const known = others ?? (isEnough ? undefined : 0);
        return {
            ...account,
            unparsed,
            unread: account.unread + (isEnough ? 0 : files.length - done),
            hits: hits.slice(0, maxResults),
            total: named.length > 0 ? named.length : collected.hits.length,
            match: matchOf(query, readings[reading], hits),
            name: query.text,
            others: named.length === 0 ? 0 : known === undefined ? undefined : known + leftOut,
        };
    }
    /** The best symbols of the files that words describe. */
    async #describedSymbols(name, { files, weights, pending, account }, maxResults) {
        const hits = [];
        let total = 0;
        for (const [rank, real] of files.entries()) {
            const known = await this.#source.symbolsOf(real);
            const reading = known ? this.#files.outlined(real, known) : this.#files.get(real);
            const file = await reading.catch(() => undefined);
            if (!file)
                continue;
            const best = rankDescribed(weights, file.text, file.symbols);
            total += Math.max(1, best.length);
            const most = rank < fullFiles ? symbolsOfFull : 1;
            for (const index of best.slice(0, most))
                hits.push(hitOf(file, file.symbols[index]));
            if (best.length === 0)
                hits.push(fileHit(file));
        }
        return {
            ...account,
            hits: hits.slice(0, maxResults),
            total,
            match: 'description',
            name,
            others: 0,
            ...(pending > 0 && { notIndexed: pending }),
        };
    }
    async #read(real) {
        const before = await stampOf(real).catch(() => undefined);
        const cached = this.#cache.get(real);
        if (cached && before?.stamp === cached.stamp)
            return { ...cached, isCached: true };
        const known = await this.#source.symbolsOf(real);
        const reading = known ? this.#files.outlined(real, known) : this.#files.get(real);
        const read = await reading.then(symbolsOf, (error) => {
            if (error instanceof CodeError)
                return { hits: [], unparsed: reasons[error.code] ?? 'it could not be read' };
            throw error;
        });
        if (before && !before.isFresh && read.unparsed === undefined)
            this.#cache.set(real, { stamp: before.stamp, ...read });
        return read;
    }
}
/** Why a file with words of the query was not read, by the code of the error. */
const reasons = {
    not_text: 'it is binary, or not a file',
    too_large: 'it is too large to read',
    not_found: 'it was deleted',
};
async function symbolsOf(file) {
    const hits = [];
    await inTurns(file.symbols, (symbol) => hits.push(hitOf(file, symbol)));
    await inTurns(file.values, (value) => hits.push(hitOf(file, value)));
    return { hits, unparsed: file.unparsed };
}
/** Where to search: everywhere, or in a file, a folder or a glob. */
export async function placeOf(roots, path) {
    if (path === undefined || path === '' || path === '.')
        return {};
    return roots.resolve(path).then((within) => ({ within }), (error) => {
        if (isGlob(path))
            return { glob: path };
        throw error;
    });
}
/** A search ends once it has this many hits that cannot be improved. */
const enough = 20;
/** The symbols of a search so far that contain words of its query. */
function collectHits(query, words) {
    const hits = [];
    const worths = [];
    /** True if a hit has the name of the query and a body. */
    let isFound = false;
    return {
        hits,
        worths,
        add: (symbols) => inTurns(symbols, (hit) => {
            const worth = worthOf(hit, words, query);
            if (worth <= 0)
                return;
            hits.push(hit);
            worths.push(worth);
            isFound ||= isNamed(hit, query) && !hit.isDeclaration;
        }),
        /** True if files with lines of at most `most` words cannot contain better hits. */
        cannotImprove(most, maxResults) {
            if (isFound && most < words.count)
                return true;
            return worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough);
        },
    };
}
//# sourceMappingURL=symbol-search.js.map