import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '#base/attempt';
import { SymbolIndex } from '../symbol-index/symbol-index.js';
import { ByteSearch, listSources, maxSimilar } from './byte-search.js';
import { readingsOf, worthOfWhole } from './query-words.js';
/** A listing serves calls for this many times the time that it took. */
const reuse = 5;
/** In a larger index, names that contain another are not counted. */
const maxCounted = 20_000;
/** Files that a query describes. */
const maxDescribed = 10;
/** What a worker indexes at once, in files and bytes of source. */
const batchFiles = 800;
const batchBytes = 8_000_000;
/** Searches the files that are indexed by the index, and the others by their bytes. */
export class IndexedSearch {
    #roots;
    #bytes;
    #index;
    #listing;
    #reusedUntil = 0;
    #beingIndexed = new Set();
    static async open(roots, maxFileBytes, database) {
        const index = database === undefined ? undefined : await SymbolIndex.open(database);
        if (!index?.isWorn)
            return new IndexedSearch(roots, maxFileBytes, index);
        index.close();
        for (const end of ['', '-wal', '-shm'])
            await rm(`${database}${end}`, { force: true });
        return IndexedSearch.open(roots, maxFileBytes, database);
    }
    constructor(roots, maxFileBytes, index) {
        this.#roots = roots;
        this.#bytes = new ByteSearch(maxFileBytes);
        this.#index = index;
    }
    async candidates(readings, scope, isStopped) {
        const from = Date.now();
        const found = await this.#candidatesOf(readings, scope, isStopped);
        // A name that nothing defines may have been written since the files were listed.
        if (found.reading === 0 || found.listedAt >= from)
            return found.candidates;
        this.#reusedUntil = 0;
        return (await this.#candidatesOf(readings, scope, isStopped)).candidates;
    }
    async #candidatesOf(readings, scope, isStopped) {
        const divided = await this.#divide(scope, isStopped);
        const { indexed, pending, account } = divided;
        const byIndex = await this.#candidatesIn(indexed, readings);
        const byBytes = pending.length === 0
            ? { reading: -1, files: [], account }
            : await this.#bytes.candidates(readings, { files: pending, account }, scope.waitMs, isStopped);
        const reading = best(byIndex.reading, byBytes.reading);
        const isSmall = byBytes.account.unread === 0 && divided.files.length <= maxSimilar;
        const all = isSmall ? divided.files.map((real) => ({ real, most: 0 })) : [];
        const files = [byIndex, byBytes].flatMap((found) => found.reading === reading ? found.files : []);
        const candidates = {
            reading,
            others: byIndex.others,
            files: reading < 0 ? all : files.sort((a, b) => b.most - a.most),
            account: accountOf(divided, byBytes.account),
        };
        return { reading, candidates, listedAt: divided.at };
    }
    async mentions(name, scope, isStopped) {
        const { maxFiles, waitMs } = scope;
        const divided = await this.#divide({ maxFiles }, isStopped);
        const isScoped = scope.within !== undefined || scope.glob !== undefined;
        const scoped = isScoped ? listSources(this.#roots, scope, isStopped).files : divided.files;
        const { indexed, pending, account } = divided;
        const found = pending.length === 0
            ? { reading: -1, files: [], account }
            : await this.#bytes.candidates(readingsOf(name).slice(0, 1), { files: pending, account }, waitMs, isStopped);
        const byBytes = found.reading === 0 ? found.files : [];
        const known = (paths = new Set()) => [...paths].map(this.#realOf).filter((real) => indexed.has(real));
        const defining = known(await this.#index?.defining(name));
        const mentioning = known(await this.#index?.mentioning(name));
        const inScope = new Set(scoped);
        const all = new Set([...defining, ...mentioning, ...byBytes.map(({ real }) => real)]);
        return {
            files: [...all].filter((real) => inScope.has(real)),
            definers: [...defining, ...byBytes.filter(({ most }) => most >= 1).map(({ real }) => real)],
            account: accountOf(divided, found.account),
        };
    }
    /** Files that words describe, unless they are a name that is defined, or nothing is indexed. */
    async describe(query, scope, isStopped) {
        const divided = await this.#divide(scope, isStopped);
        const { indexed, pending, account } = divided;
        if (!this.#index || indexed.size === 0)
            return undefined;
        const defining = [...(await this.#index.defining(query))].map(this.#realOf);
        if (defining.some((real) => indexed.has(real)))
            return undefined;
        const accept = (path) => indexed.has(this.#realOf(path));
        const { paths, weights } = await this.#index.describe(query, accept, maxDescribed);
        return {
            files: paths.map(this.#realOf),
            weights,
            pending: pending.length,
            account: { ...account, searched: indexed.size },
        };
    }
    /** Those of some files that have a text, and those that cannot be told. */
    containing(name, files) {
        return files.filter((real) => attempt(() => this.#bytes.has(real, name), true));
    }
    async symbolsOf(real) {
        return this.#index?.symbolsOf(this.#roots.nameOf(real));
    }
    /** Files that are not indexed as they are now, and are not given to another worker. */
    async nextBatch(maxFiles, isFirst) {
        const index = this.#index;
        if (!index)
            return undefined;
        if (isFirst)
            this.#beingIndexed.clear();
        await index.refresh();
        const listing = this.#listing ?? (await this.#divide({ maxFiles }, () => false));
        const pending = listing.pending.filter((real) => {
            if (this.#beingIndexed.has(real))
                return false;
            return index.fresh(real, this.#roots.nameOf(real)) === undefined;
        });
        // Another process may index the same files, so each begins somewhere.
        let at = Math.floor(Math.random() * Math.max(1, pending.length - batchFiles));
        const chosen = [];
        for (let bytes = 0; at < pending.length && chosen.length < batchFiles; at++) {
            const real = pending[at];
            bytes += lstatSync(real, { throwIfNoEntry: false })?.size ?? 0;
            if (bytes > batchBytes && chosen.length > 0)
                break;
            chosen.push(real);
        }
        if (chosen.length === 0) {
            this.#reusedUntil = 0;
            return undefined;
        }
        for (const real of chosen)
            this.#beingIndexed.add(real);
        const files = chosen.map((real) => ({ real, path: this.#roots.nameOf(real) }));
        return { files, formerIds: files.flatMap(({ path }) => index.files.get(path)?.id ?? []) };
    }
    /** The files that define what a reading names, with an upper bound of their score. */
    async #candidatesIn(indexed, readings) {
        const index = this.#index;
        if (!index || indexed.size === 0)
            return { reading: -1, files: [] };
        for (const [reading, words] of readings.entries()) {
            const scores = new Map();
            const add = (paths, score) => {
                for (const path of paths) {
                    const real = this.#realOf(path);
                    if (indexed.has(real))
                        scores.set(real, (scores.get(real) ?? 0) + score);
                }
            };
            const whole = words.names.join('');
            add(await index.defining(whole), words.count + worthOfWhole);
            if (scores.size > 0 && !words.isPart) {
                const others = indexed.size > maxCounted ? undefined : await index.namesWithin(whole);
                return { reading, files: [...scores].map(([real, most]) => ({ real, most })), others };
            }
            for (const word of words.words)
                add(await index.definingPart(word), 1);
            const [name = ''] = words.names;
            if (scores.size === 0 && words.names.length === 1) {
                add(await index.definingWithin(name), 1);
                // It may be in signatures.
                if (scores.size === 0)
                    add(await index.mentioning(name), 1);
            }
            if (scores.size === 0)
                continue;
            const most = words.count + worthOfWhole;
            const files = [...scores].map(([real, score]) => ({ real, most: Math.min(score, most) }));
            return { reading, files };
        }
        return { reading: -1, files: [] };
    }
    /** The files in a scope. Those of all folders are listed again only from time to time. */
    async #divide(scope, isStopped) {
        const isAll = scope.within === undefined && scope.glob === undefined;
        const from = performance.now();
        if (isAll && this.#listing && from < this.#reusedUntil)
            return this.#listing;
        await this.#index?.refresh();
        const listing = listSources(this.#roots, scope, isStopped);
        const indexed = new Set();
        const pending = [];
        for (const real of listing.files)
            if (this.#index?.fresh(real, this.#roots.nameOf(real)))
                indexed.add(real);
            else
                pending.push(real);
        const divided = { ...listing, indexed, pending, at: Date.now() };
        if (!isAll || isStopped())
            return divided;
        this.#listing = divided;
        const now = performance.now();
        this.#reusedUntil = now + reuse * (now - from);
        return divided;
    }
    #realOf = (path) => path.startsWith('/') ? path : join(this.#roots.folders[0] ?? '', path);
}
const accountOf = ({ indexed, pending }, account) => ({
    ...account,
    searched: indexed.size + (pending.length === 0 ? 0 : account.searched),
});
/** -1 stands for none. */
const best = (a, b) => (a < 0 ? b : b < 0 ? a : Math.min(a, b));
//# sourceMappingURL=indexed-search.js.map