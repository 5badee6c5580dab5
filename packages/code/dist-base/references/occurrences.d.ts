import type { Language } from '../languages/language.ts';
/** An occurrence of an identifier in code, outside comments and texts. */
export interface Occurrence {
    start: number;
    /** What it is by the characters around it. */
    form: 'call' | 'import' | 'use';
    /** A dot, arrow or `::` precedes it. */
    isMember: boolean;
    /** A key of an object: `name: value`. */
    isKey: boolean;
    /** A keyword that defines something precedes it. */
    isDefinition: boolean;
    /** It is, or may be, a variable or parameter of a block. */
    isLocal: boolean;
}
/** The occurrences of an identifier in code. */
export declare function occurrencesOf(text: string, name: string, language: Language): Occurrence[];
//# sourceMappingURL=occurrences.d.ts.map