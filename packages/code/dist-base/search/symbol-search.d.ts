import type { Roots } from '../access/roots.ts';
import type { SourceFiles } from '../outline/source-files.ts';
import { type Account } from './account.ts';
import type { CandidateSource, Scope } from './candidates.ts';
import { type QueryMatch, type SymbolHit } from './symbol-hit.ts';
/** Where to search for symbols, and how many results to return. */
export interface SearchOptions {
    /** Limits the search to a file, a folder or a glob. */
    path?: string | undefined;
    maxResults?: number | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((done: number, total: number) => void) | undefined;
}
/** Found symbols, and what the search left out. */
export interface SearchResult extends Account {
    /** Best first. */
    hits: readonly SymbolHit[];
    /** Number of symbols with words of the query. */
    total: number;
    match: QueryMatch;
    /** The query without a keyword or marks. */
    name: string;
    /** Names that contain it and are left out, because those of the hits are it; if counted. */
    others: number | undefined;
    /** Files that a description could not be compared with yet. */
    notIndexed?: number;
}
interface Limits {
    waitMs: number;
    maxFiles?: number | undefined;
}
/** Searches for symbols whose names or signatures contain words of a query. */
export declare class SymbolSearch {
    #private;
    constructor(roots: Roots, files: SourceFiles, source: CandidateSource, limits: Limits);
    find(text: string, { path, maxResults, signal, onProgress }?: SearchOptions): Promise<SearchResult>;
}
/** Where to search: everywhere, or in a file, a folder or a glob. */
export declare function placeOf(roots: Roots, path: string | undefined): Promise<Pick<Scope, 'within' | 'glob'>>;
export {};
//# sourceMappingURL=symbol-search.d.ts.map