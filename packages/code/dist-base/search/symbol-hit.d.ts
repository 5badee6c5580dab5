import type { SymbolKind } from '../languages/language.ts';
import { type ListedSymbol } from '../outline/signature.ts';
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts';
import { type Words } from './query-words.ts';
import { type FindQuery } from './read-query.ts';
/** A symbol that a search found. */
export interface SymbolHit extends Omit<ListedSymbol, 'kind'> {
    kind: SymbolKind | 'file';
    /** `path#name path`, the id of its chunk. */
    id: string;
    file: string;
    /** A declaration without a body. */
    isDeclaration?: true;
}
export declare function hitOf(file: SourceFile, symbol: CodeSymbol): SymbolHit;
/** A file as a whole. */
export declare const fileHit: ({ path, lines }: SourceFile) => SymbolHit;
/** Score of a hit, on the scale of `maxInLine`. */
export declare const worthOf: (hit: SymbolHit, words: Words, query: string) => number;
/**
 * Best first: those with the name of the query, outside tests, with a body, of the preferred kind;
 * then the others by their words. `worths` are those of the hits.
 */
export declare function rankHits(hits: readonly SymbolHit[], { text, prefers }: FindQuery, worths: readonly number[]): Promise<SymbolHit[]>;
/** 0 for a definition with a body outside tests; what is less has a higher number. */
export declare const asideOf: ({ file, isDeclaration }: SymbolHit) => number;
/** True if the query is its name, its name path or the end of it. */
export declare function isNamed({ path }: SymbolHit, query: string): boolean;
/**
 * What the query is to the names of the best hits: one of them; a part of them; words, all of which
 * one has; in their signatures only; words or parts, of which they have some; or only similar;
 * or a description.
 */
export type QueryMatch = 'name' | 'within' | 'words' | 'signature' | 'parts' | 'similar' | 'description';
/** `words` are those that were looked for; undefined if no file has any. */
export declare function matchOf({ text, isPart }: FindQuery, words: Words | undefined, hits: readonly SymbolHit[]): QueryMatch;
//# sourceMappingURL=symbol-hit.d.ts.map