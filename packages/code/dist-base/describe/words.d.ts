/**
 * The terms of a name: whole in lower case without separators, then the stems of its parts; of a
 * word, its stem. They are kept, because the files of a project share their names.
 */
export declare function termsOfName(name: string): readonly string[];
/** The names in a query that it is about; all of them if they are all without a subject. */
export declare function wordsOf(query: string): readonly string[];
/** The terms of the name of a file, or of its folder if the name says only that it is the main one. */
export declare function nameOf(path: string): readonly string[];
//# sourceMappingURL=words.d.ts.map