import type { CodeSymbol } from '../outline/source-file.ts';
import type { Breadcrumb } from '../paging/breadcrumbs.ts';
import type { Leading } from '../paging/leading.ts';
/** A part of a chunk that can be jumped to. */
export interface Part {
    /** Its name path within the chunk (`/method`), or the first line of a statement. */
    name: string;
    /** Line of the chunk, from 1. */
    startLine: number;
    lines: number;
}
/** One page of a function, another symbol or a file. */
export interface Chunk {
    /** `path#name path`, or the path of a file. */
    id: string;
    file: string;
    language?: string;
    /** The symbol; absent for a file. */
    symbol?: {
        path: string;
        kind: CodeSymbol['kind'];
    };
    /** The text of the page, byte for byte; all pages joined are the chunk. */
    text: string;
    /** Lines above the page that are repeated, with their line numbers in the file. */
    crumbs: readonly Breadcrumb[];
    /** Comments and attributes directly above the symbol, on its first page. */
    leading?: Leading;
    isPartial: boolean;
    /** Lines of the chunk. */
    totalLines: number;
    /** First and last line of the page in the chunk, from 1. */
    startLine: number;
    endLine: number;
    /** The same lines in the file. */
    fileStartLine: number;
    fileEndLine: number;
    currentPage: number;
    totalPages: number;
    /** Absent on the last page. */
    nextPageToken?: string;
    /** Absent on the first page. */
    prevPageToken?: string;
    /** Estimated tokens of the whole chunk. */
    totalTokens: number;
    /** `recovered`: the parser failed, and the end was found by counting braces. */
    extent: CodeSymbol['extent'];
    /** Why the file was not parsed; absent if it was. */
    unparsed?: string;
    /** On the first of many pages: the parts of the chunk, and the number of further parts. */
    parts?: readonly Part[];
    moreParts?: number;
    /** Name paths of other symbols in the file that match the name. */
    others?: readonly string[];
    /** One wrong character in the token was corrected. */
    isCorrected?: true;
    /** The page ends elsewhere than when its token was made; only for a token that works alone. */
    isChanged?: true;
    /** The page begins or ends within a line that is too long for one page. */
    beginsInLine?: true;
    endsInLine?: true;
}
/** Which page of a chunk to return, and its size. */
export interface ChunkOptions {
    /** Token of another page of the chunk. */
    pageToken?: string | undefined;
    /** A number of tokens, or `"300 lines"`, `"10 KB"`, `"500 lines, 10 KB"`; 0 for the maximum. */
    pageSize?: number | string | undefined;
    /** Instead of that of {@link CodeOptions}. */
    pagingThreshold?: string | undefined;
    /** Line of the chunk to begin at, from 1. */
    startLine?: number | undefined;
    /** The page tokens of the chunk work alone: each has path, name, offsets and page size in it. */
    standalone?: boolean | undefined;
}
//# sourceMappingURL=chunk.d.ts.map