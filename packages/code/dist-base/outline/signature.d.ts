import type { CodeSymbol, SourceFile } from './source-file.ts';
/** A symbol in a list. Lines are of the file, from 1. */
export interface ListedSymbol {
    path: string;
    kind: CodeSymbol['kind'];
    signature: string;
    startLine: number;
    endLine: number;
}
export declare const listedSymbol: ({ lines, text }: SourceFile, symbol: CodeSymbol) => ListedSymbol;
/** The header of a symbol without annotations, on one line of at most 160 characters. */
export declare function firstLines(text: string, symbol: CodeSymbol): string;
//# sourceMappingURL=signature.d.ts.map