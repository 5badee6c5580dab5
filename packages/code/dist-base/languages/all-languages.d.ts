import type { Language } from './language.ts';
export declare const allLanguages: readonly Language[];
/** The language of a file by its name; undefined if the name does not determine it. */
export declare function languageOfName(path: string): Language | undefined;
/** The language of a file by its name, else by its first line. */
export declare function languageOf(path: string, text: string): Language | undefined;
export declare const languageNamed: (name: string) => Language | undefined;
//# sourceMappingURL=all-languages.d.ts.map