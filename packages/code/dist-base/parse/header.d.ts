/** The tokens before a brace, since the last statement or declaration ended. */
export interface Header {
    /** Offset of its first token, or -1. */
    start: number;
    /** Its first word. */
    first: string;
    /** Names followed by parentheses, with their qualifiers. */
    groups: string[];
    /** True after the colon in front of the initializers of a constructor. */
    isInitial: boolean;
    /** True after an assignment. */
    hasValue: boolean;
    /** Its last word or punctuation character. */
    last: string;
    /** The last name, with its qualifiers. */
    name: string;
    /** Number of tokens. */
    count: number;
    /** True after a `?`: the colon of `a ? b : c` does not end a label. */
    hasQuestion: boolean;
}
export declare const noHeader: () => Header;
export declare const copyHeader: (header: Header) => Header;
export declare function addWord(header: Header, word: string, at: number): void;
/** Add a punctuation character outside parentheses; a string counts as one. */
export declare function addSign(header: Header, char: string, at: number): void;
/** True if a following colon ends a label. */
export declare const isLabel: ({ first, count, hasQuestion }: Header) => boolean;
/** `scope` contains declarations, `code` statements, `data` values. */
export type BlockKind = 'scope' | 'code' | 'data';
export interface ReadHeader {
    kind: BlockKind;
    /** Name of a function. */
    name?: string;
}
/** What a brace opens, by its header and the block around it. */
export declare function readHeader(header: Header, around: BlockKind, isInParens: boolean, text: string): ReadHeader;
//# sourceMappingURL=header.d.ts.map