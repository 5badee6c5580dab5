/** Folder of the grammars, next to `src` and `dist`. */
export const grammarsFolder = new URL('../grammars/', import.meta.url);
//# sourceMappingURL=grammars-folder.js.map