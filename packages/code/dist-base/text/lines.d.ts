/** The lines of a text, counted from 1. */
export interface Lines {
    readonly count: number;
    lineAt(offset: number): number;
    /** The start offset of a line; the length of the text after the last line. */
    startOf(line: number): number;
    /** A line without its newline, cut to 1,000 characters. */
    text(line: number): string;
}
export declare function createLines(text: string): Lines;
/** The start of the line of an offset, if only blanks precede the offset. */
export declare function lineStartOver(text: string, offset: number): number | undefined;
//# sourceMappingURL=lines.d.ts.map