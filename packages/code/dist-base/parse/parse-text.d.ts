import { Language as Grammar } from 'web-tree-sitter';
import type { Language } from '../languages/language.ts';
import { type Parsed } from './parsed.ts';
import { type SymbolTable } from './symbol-table.ts';
/** The syntax of a text, or the reason for its absence, to follow a colon. */
export type ParseOutcome = ({
    parsed: Parsed;
} & Outlines) | {
    unparsed: string;
};
export type OutlineOutcome = Outlines | {
    unparsed: string;
};
/** What a file defines. */
export interface Outlines {
    /** Functions and types. */
    symbols: SymbolTable;
    /** Constants, variables, fields and the like. */
    values: SymbolTable;
}
/** Parse a text within `timeoutMs`. */
export declare const parseText: (text: string, language: Language, timeoutMs: number) => Promise<ParseOutcome>;
/** Only the symbols of a text, without their tokens. */
export declare const outlineText: (text: string, language: Language, timeoutMs: number) => Promise<OutlineOutcome>;
/** Load a grammar once and on demand, because each takes memory and compile time. */
export declare function loadGrammar(name: string): Promise<Grammar>;
//# sourceMappingURL=parse-text.d.ts.map