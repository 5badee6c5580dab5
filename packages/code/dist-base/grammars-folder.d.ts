/** Folder of the grammars, next to `src` and `dist`. */
export declare const grammarsFolder: URL;
//# sourceMappingURL=grammars-folder.d.ts.map