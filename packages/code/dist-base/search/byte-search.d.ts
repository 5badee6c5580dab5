import type { Roots } from '../access/roots.ts';
import type { Candidates, Scope } from './candidates.ts';
import { type Listing } from './list-files.ts';
import { type Words } from './query-words.ts';
/** In a tree of more files, no similar names are looked for. */
export declare const maxSimilar = 2000;
/**
 * Searches files as bytes for words, in batches. A search that is repeated reads only files that it
 * did not read, or that have changed.
 */
export declare class ByteSearch {
    #private;
    constructor(maxFileBytes: number);
    /** The files of a listing for the first reading that some file has. */
    candidates(readings: readonly Words[], { files, account }: Listing, waitMs: number, isStopped: () => boolean): Promise<Candidates>;
    /** True if a file has a text, in this case. @throws if it cannot be read. */
    has(real: string, text: string): boolean;
}
/**
 * Source files of all folders, of a file or folder, or those that match a glob.
 *
 * @throws {CodeError} for the glob
 */
export declare function listSources(roots: Roots, scope: Omit<Scope, 'waitMs'>, isOver: () => boolean): Listing;
//# sourceMappingURL=byte-search.d.ts.map