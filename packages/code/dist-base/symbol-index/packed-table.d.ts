import { type SymbolTable } from '../parse/symbol-table.ts';
/** A table as a blob: differences of positions as varints, then kinds and names, deflated. */
export declare function packTable({ rows, names, kinds }: SymbolTable): Uint8Array;
/** @throws for bytes that are no table. */
export declare function unpackTable(packed: Uint8Array): SymbolTable;
//# sourceMappingURL=packed-table.d.ts.map