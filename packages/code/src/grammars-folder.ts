/** Folder of the grammars, next to `src` and `dist`. */
export const grammarsFolder: URL = new URL('../grammars/', import.meta.url)
