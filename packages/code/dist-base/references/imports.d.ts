/** How a file takes a name from others. */
export interface Imports {
    /** Where from, as written: `./a.ts`, `pkg/sub`, `..models`. */
    specifiers: readonly string[];
    /** What it calls the name. */
    aliases: readonly string[];
}
/** The statements that import or re-export a name, in JavaScript, TypeScript or Python. */
export declare function importsOf(text: string, name: string, isPython: boolean): Imports;
/** The paths that a specifier may mean, without extensions; undefined for a package. */
export declare function targetOf(specifier: string, from: string, isPython: boolean): string | undefined;
/** True if a path without its extension, or as a package, is that of a file. */
export declare function isFileOf(target: string, file: string, isPython: boolean): boolean;
//# sourceMappingURL=imports.d.ts.map