import type { CodeSymbol, SourceFile } from '../outline/source-file.ts';
import { type PageAddress } from './page-address.ts';
/** The start of a page, as an offset in its chunk. */
export interface PageStart {
    start: number;
    isCorrected?: true;
}
/** A page token, or the parts of one that works alone. */
export type TokenOrAddress = string | PageAddress;
/** The page tokens of a chunk: bound to the text before a page, so that edits behind it are free. */
export declare class ChunkTokens {
    #private;
    constructor(file: SourceFile, symbol: CodeSymbol | undefined, text: string);
    short(start: number): string;
    /** With path, name, offsets and size in it. */
    standalone(start: number, end: number, size: string): string;
    /** `starts` returns those of the pages, ascending. @throws {CodeError} */
    startOf(token: TokenOrAddress, starts: () => readonly number[], length: number): PageStart;
    /** True for a token of this chunk, if the text before its page is as it was. */
    fits(token: TokenOrAddress, length: number): boolean;
}
//# sourceMappingURL=chunk-tokens.d.ts.map