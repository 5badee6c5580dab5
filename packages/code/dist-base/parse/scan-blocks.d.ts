import type { Lexis } from '../languages/language.ts';
/** A function found by its braces. Positions are UTF-16 offsets. */
interface ScannedFunction {
    name: string;
    start: number;
    /** Offset of its opening brace. */
    body: number;
    end: number;
}
export interface Scanned {
    functions: ScannedFunction[];
    /** Maps an opening brace to the offset after the closing one. */
    closes: Map<number, number>;
    /** As in a parsed text. */
    units: number[];
    leads: number[];
}
/**
 * Find functions and statements by braces, comments and strings alone, for texts with syntax
 * errors. Linear in the length of the text.
 */
export declare function scanBlocks(text: string, lexis: Lexis): Scanned;
export {};
//# sourceMappingURL=scan-blocks.d.ts.map