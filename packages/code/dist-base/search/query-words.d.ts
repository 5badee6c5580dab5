export interface Words {
    /** Matches the words, each in its own group. */
    pattern: RegExp;
    count: number;
    /** The last name, or all, as written. */
    names: readonly string[];
    /** In lower case; none for everything. */
    words: readonly string[];
    /** Matches the last name of the query as a whole word. */
    whole: RegExp;
    /** Files that define the whole name do not make the others needless. */
    isPart: boolean;
    /** The names before it in a name path, which the file must contain. */
    around: readonly string[];
}
/** Score of a match of the whole name, relative to one word. */
export declare const worthOfWhole = 0.25;
/** The query as whole names, and as a fallback as parts of names. */
export declare function readingsOf(query: string, isPart?: boolean): Words[];
/** Matches everything; used if no file contains the words of a query. */
export declare const anyWords: Words;
/** The bytes of a file, and the same as a text of as many characters. */
export interface FileBytes {
    bytes: Uint8Array;
    latin1: string;
}
/**
 * How many of the words occur in a file, whatever their case. Words of ASCII are looked for in its
 * bytes, without decoding them.
 */
export declare function wordFinder({ words, around }: Words): (content: FileBytes) => number;
/**
 * Upper bound of the score of any line of a text: one for each word of the query, a little more for
 * the last name as a whole, and half of it if the line defines nothing.
 */
export declare function maxInLine(text: string, words: Words): number;
//# sourceMappingURL=query-words.d.ts.map