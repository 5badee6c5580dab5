export type SizeUnit = 'tokens' | 'lines' | 'bytes';
/** The limits of a page, at least one. */
export type PageSize = Readonly<Partial<Record<SizeUnit, number>>>;
/** In tokens; the maximum also applies to pages measured in other units. */
export declare const defaultPageTokens = 4000;
/** Maximum tokens of a page. */
export declare const maxPageTokens = 20000;
/**
 * Parse `4000`, `"300 lines"`, `"10 KB"` or both limits, `"500 lines, 10 KB"`. A number without a
 * unit counts `bare`. 0 and larger values mean the maximum.
 *
 * @throws {CodeError} `bad_argument` for an invalid or negative size.
 */
export declare function readPageSize(size: number | string, bare?: SizeUnit): PageSize;
/** A size as {@link readPageSize} reads it, without blanks: `500l,10240b`. */
export declare const sizeText: (size: PageSize) => string;
/** A cumulative measure of a text. */
export type Measure = ReturnType<typeof measureText>;
/** Tokens as in `estimateTokens`. Lines and bytes are exact at the start of lines. */
export declare function measureText(text: string, unit: SizeUnit): {
    /** The amount between two offsets, interpolated within a long line. */
    between: (from: number, to: number) => number;
    /** The last offset up to which the text from `from` has at most `amount`. */
    fitting(from: number, amount: number): number;
};
/** The maximum end of a page: by its own limits, and by the maximum of tokens. */
export declare function limitOf(size: PageSize, measures: (unit: SizeUnit) => Measure, from: number, spent: number): number;
//# sourceMappingURL=page-size.d.ts.map