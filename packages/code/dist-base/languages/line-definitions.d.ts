import type { Language, SymbolKind, ValueKind } from './language.ts';
/** A constant, variable, field or other definition that an outline lacks. UTF-16 offsets. */
export interface LineDefinition {
    name: string;
    kind: ValueKind;
    /** Where the name begins. */
    at: number;
    /** Of the statement or member. */
    start: number;
    end: number;
}
/** What an outline has of a symbol. */
interface OutlineSymbol {
    name: string;
    kind: SymbolKind;
    start: number;
    body: number;
    end: number;
}
/**
 * The definitions of a text that are no symbols of its outline, and not within functions: one walk
 * over its statements and members (`units` of the parsed text, three values each), in their order.
 */
export declare function lineDefinitions(text: string, { values }: Language, symbols: readonly OutlineSymbol[], units: Uint32Array): LineDefinition[];
export {};
//# sourceMappingURL=line-definitions.d.ts.map