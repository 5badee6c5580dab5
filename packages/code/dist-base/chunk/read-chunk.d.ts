import type { CodeSymbol, SourceFile } from '../outline/source-file.ts';
import { type PageSize } from '../text/page-size.ts';
import type { Chunk, ChunkOptions } from './chunk.ts';
import { type TokenOrAddress } from './chunk-tokens.ts';
/** How pages are cut if a call does not specify it. */
export interface PageDefaults {
    size: PageSize;
    /** A symbol of at most this size is one page, if the maximum page size allows it. */
    pagingThreshold?: PageSize | undefined;
}
/** With a page token in its parts, if it works alone. */
export interface PlacedOptions extends Omit<ChunkOptions, 'pageToken'> {
    pageToken?: TokenOrAddress | undefined;
}
/**
 * One page of a symbol, or of a whole file.
 *
 * @throws {CodeError} `bad_argument` for an invalid token or line, `content_changed` for a token of
 * another symbol or a former text.
 */
export declare function readChunk(file: SourceFile, symbol: CodeSymbol | undefined, options: PlacedOptions, defaults: PageDefaults): Chunk;
/** True if a page token is of this symbol, and the text before its page is as it was. */
export declare const isTokenOf: (file: SourceFile, symbol: CodeSymbol, token: TokenOrAddress) => boolean;
//# sourceMappingURL=read-chunk.d.ts.map