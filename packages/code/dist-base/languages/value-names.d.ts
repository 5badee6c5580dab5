import type { ValueRule } from './language.ts';
/** A name that a statement declares, and where it begins. */
export interface NameAt {
    name: string;
    at: number;
}
/** Characters of a statement that are read. */
export declare const maxRead = 400;
/** The names that a statement declares by a rule that it begins as. Offsets are of the text. */
export declare function valueNames(rule: ValueRule, text: string, start: number, end: number): NameAt[];
//# sourceMappingURL=value-names.d.ts.map