import type { Outlines } from '../parse/parse-text.ts';
/** The symbols of a file as they were at its stamp, or why there are none. */
export interface KnownSymbols {
    stamp: string;
    outlines?: Outlines;
    unparsed?: string;
}
//# sourceMappingURL=known-symbols.d.ts.map