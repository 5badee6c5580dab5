import type { Roots } from '../access/roots.ts';
import type { KnownSymbols } from '../outline/known-symbols.ts';
import type { IndexBatch } from '../symbol-index/index-files.ts';
import { SymbolIndex } from '../symbol-index/symbol-index.ts';
import type { Account } from './account.ts';
import type { Candidates, Described, Scope } from './candidates.ts';
import { type Words } from './query-words.ts';
/** Files to index. */
export type Batch = Pick<IndexBatch, 'files' | 'formerIds'>;
/** Files with an identifier, those that define it first, and what was not searched. */
export interface Mentions {
    files: readonly string[];
    /** Those of them that may define it. */
    definers: readonly string[];
    account: Account;
}
/** Searches the files that are indexed by the index, and the others by their bytes. */
export declare class IndexedSearch {
    #private;
    static open(roots: Roots, maxFileBytes: number, database?: string): Promise<IndexedSearch>;
    constructor(roots: Roots, maxFileBytes: number, index: SymbolIndex | undefined);
    candidates(readings: readonly Words[], scope: Scope, isStopped: () => boolean): Promise<Candidates>;
    mentions(name: string, scope: Scope, isStopped: () => boolean): Promise<Mentions>;
    /** Files that words describe, unless they are a name that is defined, or nothing is indexed. */
    describe(query: string, scope: Scope, isStopped: () => boolean): Promise<Described | undefined>;
    /** Those of some files that have a text, and those that cannot be told. */
    containing(name: string, files: readonly string[]): string[];
    symbolsOf(real: string): Promise<KnownSymbols | undefined>;
    /** Files that are not indexed as they are now, and are not given to another worker. */
    nextBatch(maxFiles: number | undefined, isFirst: boolean): Promise<Batch | undefined>;
}
//# sourceMappingURL=indexed-search.d.ts.map