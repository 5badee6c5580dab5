import { type ListedSymbol } from './signature.ts';
import type { CodeSymbol, SourceFile } from './source-file.ts';
/** A symbol in an outline. */
export interface OutlineEntry extends ListedSymbol {
    /** Estimated tokens of the whole symbol. */
    tokens: number;
    /** Number of symbols around it. */
    depth: number;
    /** Number of symbols in it. */
    inside: number;
    extent: CodeSymbol['extent'];
}
/** The symbols of a file, in the order of the file. */
export interface Outline {
    file: string;
    language?: string;
    totalLines: number;
    /** In the order of the file, or best first for a query. */
    entries: readonly OutlineEntry[];
    /** Number of symbols of the file. */
    total: number;
    /** Number of symbols that were not ranked, because others contain more words of the query. */
    unranked?: number;
    /** The parser failed in parts of the file, so symbols may be missing. */
    hasErrors: boolean;
    /** Why the file was not parsed; absent if it was. */
    unparsed?: string;
}
/**
 * The symbols of a file; with a query, those below a name path (`Class/`), or those whose names or
 * signatures contain its words.
 */
export declare function outlineOf(file: SourceFile, query?: string): Promise<Outline>;
//# sourceMappingURL=outline.d.ts.map