import type { SymbolKind } from '../languages/language.ts';
import type { Definition } from './parsed.ts';
/**
 * The named symbols of a file in columns: to receive a copy of them takes the other thread a time
 * that does not depend on their number, as the copy of as many objects would.
 */
export interface SymbolTable {
    /** {@link rowSize} values per symbol, in the order of the file, parents before children. */
    rows: Uint32Array;
    /** The name paths, one after another. */
    names: string;
    /** Kinds, by the number in a row. */
    kinds: readonly SymbolKind[];
}
/** Number of values per symbol. */
export declare const rowSize = 9;
type Column = 'start' | 'body' | 'end' | 'parent' | 'path' | 'name' | 'number' | 'kind' | 'tokens';
/** The places of the values in a row. Positions are UTF-16 offsets. */
export declare const column: Readonly<Record<Column, number>>;
/** The path in the names is to follow that of the symbol around it. */
export declare const isBelow = 1;
/** The end was found by counting braces. */
export declare const isRecovered = 2;
/** Flags take this many bits. */
export declare const flagBits = 2;
/** The name of each symbol, and the index of that around it, or -1. */
export declare function namesOf({ rows, names }: SymbolTable): {
    name: string;
    parent: number;
}[];
/** Definitions with their name paths; without the text, their tokens are 0. */
export declare function nameSymbols(definitions: readonly Definition[], text?: string): SymbolTable;
export {};
//# sourceMappingURL=symbol-table.d.ts.map