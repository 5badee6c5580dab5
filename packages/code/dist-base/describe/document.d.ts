import type { CodeSymbol } from '../outline/source-file.ts';
/** What is known of a file whose words are to be found. */
export interface Described {
    path: string;
    text: string;
    symbols: readonly Pick<CodeSymbol, 'name' | 'parent'>[];
}
/** The file defines something of this name. */
export declare const isDefined = 128;
/** The highest {@link impactOf}. */
export declare const maxImpact = 127;
/**
 * The terms of a file, each with one byte: {@link isDefined}, and how much the file is about it. The
 * byte depends on this file alone, so that an index need not be written again when others change.
 */
export declare function documentOf({ path, text, symbols }: Described): Map<string, number>;
//# sourceMappingURL=document.d.ts.map