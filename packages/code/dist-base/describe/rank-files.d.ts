/**
 * The files of a batch with a term: the difference of each to the one before, the first to `base`,
 * times 256, plus the byte of `documentOf`.
 */
export interface Postings {
    base: number;
    values: readonly number[];
}
/** The files of an index, and those with the terms of a query. */
export interface DescribedFiles {
    count: number;
    /** The highest number of a file. */
    last: number;
    postings: ReadonlyMap<string, readonly Postings[]>;
    /** The path of a file, unless it is no longer as it was. */
    path(file: number): string | undefined;
    /** Number of files with the term in the name of the file. */
    named(term: string): number;
}
export interface RankedFiles {
    /** Best first. */
    files: readonly {
        file: number;
        score: number;
    }[];
    /** The weight of each term of the query in these files, which is 0 if it is in none. */
    weights: ReadonlyMap<string, number>;
}
/** The terms whose postings a query needs. */
export declare const termsOfQuery: (query: string) => readonly string[];
/** The files that a query describes. */
export declare function rankFiles(query: string, files: DescribedFiles, maxResults: number): RankedFiles;
//# sourceMappingURL=rank-files.d.ts.map