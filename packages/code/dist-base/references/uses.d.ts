import type { SourceFile } from '../outline/source-file.ts';
/** How the uses of a name are told from those of others with the same name. */
export type Matching = 'import' | 'name';
/** Uses of a name in one symbol of a file, or outside all of them. */
export interface UsedIn {
    /** The name path; absent at the top of the file. */
    symbol?: string;
    /** Lines of the file, in order. */
    lines: readonly number[];
    kind: 'call' | 'extends' | 'use';
}
/** The uses in a file. */
export interface FileUses {
    file: string;
    isTest: boolean;
    /** True if the file imports the name. */
    isImported: boolean;
    usedIn: readonly UsedIn[];
}
/** `import` if the definitions are not members and their language imports by name. */
export declare const matchingOf: (definitions: readonly {
    path: string;
    file: string;
}[], language: string | undefined) => Matching;
/** Of which of several definitions uses are looked for, by their files. */
export interface Wanted {
    name: string;
    matching: Matching;
    /** Files of the definitions whose uses are wanted. */
    files: readonly string[];
    /** Files of other definitions with the name. */
    others: readonly string[];
}
/** The uses of a name in a file, by the symbols around them. */
export declare function usesIn(file: SourceFile, wanted: Wanted): FileUses | undefined;
/** With the files that only pass on other definitions counted as theirs; barrels may be chained. */
export declare function withBarrels(wanted: Wanted, files: readonly (SourceFile | undefined)[]): Wanted;
//# sourceMappingURL=uses.d.ts.map