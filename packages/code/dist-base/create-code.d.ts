import type { Chunk, ChunkOptions } from './chunk/chunk.ts';
import { type Outline } from './outline/outline.ts';
import { type ReferenceOptions, type References } from './references/references.ts';
import type { Account } from './search/account.ts';
import { type SearchOptions, type SearchResult } from './search/symbol-search.ts';
/** Files that match a pattern, best first. */
export interface FoundFiles extends Account {
    files: readonly string[];
    total: number;
}
/** Found symbols, and the texts of the first ones if they are meant without doubt, or short. */
export interface FoundSymbols extends SearchResult {
    bodies: readonly Chunk[];
}
/**
 * Source files of some folders, and the symbols in them. Paths are relative to the first folder, or
 * absolute. A changed file is read again before it is used.
 */
export interface Code {
    /** The symbols of a file, or those that match a query. @throws {CodeError} */
    outline(path: string, query?: string): Promise<Outline>;
    /**
     * A page of a function or another symbol of a file, by its name path (`Class/method`, `name[1]`),
     * signature or a line in it.
     *
     * @throws {CodeError} `symbol_not_found` with the nearest names, `no_symbols` if the file was not
     * parsed, `ambiguous` with the candidates, `content_changed`, `bad_argument`, and the errors of
     * reading a file.
     */
    functionChunk(path: string, name: string, options?: ChunkOptions): Promise<Chunk>;
    /**
     * A page of what an id names: `path#name path`, or a path alone for the whole file, optionally
     * followed by `@` and a page token.
     *
     * @throws {CodeError}
     */
    chunk(id: string, options?: ChunkOptions): Promise<Chunk>;
    /** The page of a token that works alone (`standalone`). @throws {CodeError} */
    page(token: string, options?: Omit<ChunkOptions, 'pageToken'>): Promise<Chunk>;
    /** Symbols of all files, and the text of one that is meant without doubt. @throws {CodeError} */
    findFunctions(query: string, options?: SearchOptions): Promise<FoundSymbols>;
    /**
     * What uses a name: of a function, type, constant, field or method, as a name path or id. A page
     * of the files that have it.
     *
     * @throws {CodeError}
     */
    references(name: string, options?: ReferenceOptions & {
        path?: string | undefined;
    }): Promise<References>;
    /** Files by a glob or a part of their name. @throws {CodeError} */
    findFiles(pattern: string, maxResults?: number): Promise<FoundFiles>;
    /** Fill the index, and wait until it is whole; nothing without a `cacheFolder`. */
    index(): Promise<void>;
    close(): Promise<void>;
}
/** Roots, page size and bounds; all but `roots` have defaults. */
export interface CodeOptions {
    /** Folders that may be read; paths and links that lead outside are rejected. */
    roots: readonly string[];
    /** Default size of a page: tokens, or `"300 lines"`, `"10 KB"`. Default 4,000. */
    pageSize?: number | string;
    /** A symbol of at most this size is one page, up to 20,000 tokens: `"500 lines, 10 KB"`. */
    pagingThreshold?: string | undefined;
    /** Larger files are read as lines, without symbols. Default 16 MB. */
    maxParseBytes?: number;
    /** Larger files are not read. Default 32 MB. */
    maxFileBytes?: number;
    /** Time limit of parsing one file. Default 20 s. */
    parseTimeoutMs?: number;
    /** Time limit of a search, which then returns partial results. Default 20 s. */
    searchWaitMs?: number;
    /** At most this many files are searched; `path` selects others. Default 100,000. */
    maxFiles?: number;
    /** Size of cached texts and their syntax. Default 96 MB. */
    maxCacheBytes?: number;
    /**
     * Folder of the index of symbols, which SQLite keeps. Without it, or without SQLite, each search
     * reads the files.
     */
    cacheFolder?: string | undefined;
    /** False reads the index without filling it in the background. Default true. */
    fillsIndex?: boolean | undefined;
}
/**
 * Open folders of source code.
 *
 * @throws {CodeError} `not_found` for a root that is not a folder, `bad_argument` for an invalid
 * page size.
 */
export declare function createCode(options: CodeOptions): Promise<Code>;
//# sourceMappingURL=create-code.d.ts.map