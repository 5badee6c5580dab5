import type { SourceFile } from '../outline/source-file.ts';
/** A part of a file that is paged. Positions are UTF-16 offsets. */
export interface Span {
    start: number;
    /** End of the signature; `start` if it has no signature. */
    body: number;
    end: number;
}
/** Starts of statements within a span, ascending. */
export interface CutPoints {
    /** Offsets into the file, at the start of a line. */
    positions: readonly number[];
    /** Number of statements that are open there. */
    depths: readonly number[];
}
/**
 * The starts of lines at which a statement or member of a span begins, including preceding
 * comments. Linear in the number of statements.
 */
export declare function cutPoints({ text, parsed }: SourceFile, span: Span): CutPoints;
/** An open statement, and the open block in it. */
export interface OpenUnit {
    start: number;
    block?: number;
}
/** The statements of a span that are open at an offset where another begins, outermost first. */
export declare function unitsAround({ parsed }: SourceFile, span: Span, position: number): readonly OpenUnit[];
/** The start of the comments directly above a line, or of the line. */
export declare const linesBefore: ({ text, parsed }: SourceFile, line: number) => number;
/** True if an offset is within a multi-line string or comment. */
export declare function isInToken({ parsed: { tokens } }: SourceFile, offset: number): boolean;
//# sourceMappingURL=cut-points.d.ts.map