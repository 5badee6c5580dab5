import type { Language, SymbolKind } from '../languages/language.ts';
import { type Parsed } from '../parse/parsed.ts';
import { type SymbolTable } from '../parse/symbol-table.ts';
import { type Lines } from '../text/lines.ts';
/** A function, class or other definition of a file. Positions are UTF-16 offsets. */
export interface CodeSymbol {
    name: string;
    /** Name path without a number: `Class/method`. */
    bare: string;
    /** The name path; followed by `[0]`, `[1]` … if several symbols of the file share it. */
    path: string;
    kind: SymbolKind;
    /** Start of its first line, or of the symbol if other text precedes it on the line. */
    start: number;
    /** Start of the body; `end` if it has no body. */
    body: number;
    end: number;
    /** A declaration without a body. */
    isDeclaration: boolean;
    /** Index of the symbol around it, or -1. */
    parent: number;
    /** `recovered`: the parser failed, and the end was found by counting braces. */
    extent: 'parsed' | 'recovered';
    /** Estimated tokens of the whole symbol. */
    tokens: number;
}
export interface SourceFile {
    /** Relative to its root, with `/`. */
    path: string;
    text: string;
    lines: Lines;
    language?: Language;
    symbols: readonly CodeSymbol[];
    /** Constants, variables, fields and other definitions that outlines do not list. */
    values: readonly CodeSymbol[];
    parsed: Parsed;
    /** Why the file was not parsed; absent if it was. */
    unparsed?: string;
}
export declare function createSourceFile(path: string, text: string, syntax: {
    language?: Language;
    parsed?: Parsed;
    symbols?: SymbolTable;
    values?: SymbolTable;
    unparsed?: string;
}): Promise<SourceFile>;
//# sourceMappingURL=source-file.d.ts.map