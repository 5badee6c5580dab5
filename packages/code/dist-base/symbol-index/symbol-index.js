import { lstatSync } from 'node:fs';
import { loadDriver } from '#base/sqlite-driver';
import { openStore } from '#base/sqlite-store';
import { stampFrom } from '../access/read-text.js';
import { rankFiles, termsOfQuery } from '../describe/rank-files.js';
import { nameOf, termsOfName } from '../describe/words.js';
import { keyOf } from '../text/name-key.js';
import { indexSchema, indexVersion, partKey } from './database.js';
import { unpackTable } from './packed-table.js';
import { readVarints } from './varints.js';
/** Reads an index that workers, also those of other processes, fill. */
export class SymbolIndex {
    #store;
    #files = new Map();
    #paths = new Map();
    /** How many files have a term in their name. */
    #named = new Map();
    #last = 0;
    static async open(database) {
        const open = await loadDriver();
        if (!open)
            return undefined;
        const index = new SymbolIndex(await openStore({ open, path: database, schema: indexSchema, version: indexVersion }));
        await index.refresh();
        return index;
    }
    constructor(store) {
        this.#store = store;
    }
    /** Reads what was indexed since. */
    async refresh() {
        const sql = 'SELECT id, path, stamp FROM file WHERE id > ? ORDER BY id';
        for (const row of await this.#store.rows(sql, this.#last)) {
            const id = Number(row['id']);
            const path = String(row['path']);
            const former = this.#files.get(path);
            if (former)
                this.#paths.delete(former.id);
            else
                for (const term of nameOf(path))
                    this.#named.set(term, (this.#named.get(term) ?? 0) + 1);
            this.#files.set(path, { id, stamp: String(row['stamp']) });
            this.#paths.set(id, path);
            this.#last = id;
        }
    }
    /** What is known of a file, unless it has changed since, or so recently that it may again. */
    fresh(real, path) {
        const known = this.#files.get(path);
        if (!known)
            return undefined;
        const stats = lstatSync(real, { bigint: true, throwIfNoEntry: false });
        return stats && stampFrom(stats).stamp === known.stamp ? known : undefined;
    }
    /** All files, also those that no longer exist. */
    get files() {
        return this.#files;
    }
    /** True if most of what is stored is of former states of files. */
    get isWorn() {
        return this.#last > 3 * this.#files.size + 5_000;
    }
    /** Files that define a name, in any spelling. */
    defining(name) {
        return this.#filesOf('name = ?', keyOf(name));
    }
    /** Files that define a name with a part that begins so. */
    definingPart(beginning) {
        const from = partKey(beginning);
        return this.#filesOf('name >= ? AND name < ?', from, `${from}\u{10ffff}`);
    }
    /** Files that define a name that contains a text. */
    definingWithin(text) {
        return this.#filesOf("instr(name, ?) > 0 AND name NOT LIKE '~%'", keyOf(text));
    }
    /** The number of other names that contain a name. */
    async namesWithin(name) {
        const sql = "SELECT COUNT(DISTINCT name) AS total FROM definition WHERE instr(name, ?) > 0 AND name NOT LIKE '~%' AND name != ?";
        const key = keyOf(name);
        const [row] = await this.#store.rows(sql, key, key);
        return Number(row?.['total']);
    }
    /** Files with a name in any spelling, also as a part of others, whatever it means there. */
    async mentioning(name) {
        const paths = new Set();
        const [term = ''] = termsOfName(name);
        for (const { base, values } of await this.#postingsOf(term)) {
            let id = base;
            for (const value of values) {
                id += value >>> 8;
                const path = this.#paths.get(id);
                if (path !== undefined)
                    paths.add(path);
            }
        }
        return paths;
    }
    /** The files that a query describes, of those that are accepted. */
    async describe(query, accept, maxResults) {
        const postings = new Map();
        for (const term of termsOfQuery(query))
            postings.set(term, await this.#postingsOf(term));
        const pathOf = (id) => {
            const path = this.#paths.get(id);
            return path !== undefined && accept(path) ? path : undefined;
        };
        const { files, weights } = rankFiles(query, {
            count: this.#files.size,
            last: this.#last,
            postings,
            path: pathOf,
            named: (term) => this.#named.get(term) ?? 0,
        }, maxResults);
        return { paths: files.flatMap(({ file }) => pathOf(file) ?? []), weights };
    }
    async #postingsOf(term) {
        const rows = await this.#store.rows('SELECT base, files FROM word WHERE name = ?', term);
        return rows.map(({ base, files }) => ({
            base: Number(base),
            values: readVarints(files),
        }));
    }
    async symbolsOf(path) {
        const known = this.#files.get(path);
        if (!known)
            return undefined;
        const [row] = await this.#store.rows('SELECT symbols, variables, unparsed FROM file WHERE id = ?', known.id);
        if (!row)
            return undefined;
        const { symbols, variables, unparsed } = row;
        return {
            stamp: known.stamp,
            ...(symbols instanceof Uint8Array &&
                variables instanceof Uint8Array && {
                outlines: { symbols: unpackTable(symbols), values: unpackTable(variables) },
            }),
            ...(typeof unparsed === 'string' && { unparsed }),
        };
    }
    async #filesOf(condition, ...values) {
        const sql = `SELECT base, files FROM definition WHERE ${condition}`;
        const paths = new Set();
        for (const { base, files } of await this.#store.rows(sql, ...values)) {
            let id = Number(base);
            for (const step of readVarints(files)) {
                id += step;
                const path = this.#paths.get(id);
                if (path !== undefined)
                    paths.add(path);
            }
        }
        return paths;
    }
    close() {
        this.#store.close();
    }
}
//# sourceMappingURL=symbol-index.js.map