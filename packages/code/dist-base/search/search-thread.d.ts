import type { CandidateSource, Scope } from './candidates.ts';
import type { FoundNames } from './find-files.ts';
import type { Batch, Mentions } from './indexed-search.ts';
export interface SearchThread extends CandidateSource {
    /** Files with an identifier. */
    mentions(name: string, scope: Scope, signal?: AbortSignal): Promise<Mentions>;
    /** Those of some files that have a text. */
    containing(name: string, files: readonly string[]): Promise<readonly string[]>;
    /** The next files to index, or the first of a pass; undefined if none is left. */
    nextBatch(maxFiles: number | undefined, isFirst: boolean): Promise<Batch | undefined>;
    /** @throws {CodeError} `bad_argument` for the pattern. */
    files(pattern: string, maxFiles: number | undefined): Promise<FoundNames>;
    close(): Promise<void>;
}
/** Searches files by their bytes and names in a thread of its own. */
export declare function createSearchThread(options: {
    folders: readonly string[];
    maxFileBytes: number;
    database?: string | undefined;
}): SearchThread;
//# sourceMappingURL=search-thread.d.ts.map