/** Where the grammars lie, beside `src` and beside what is built of it. */
export const grammarsFolder: URL = new URL('../grammars/', import.meta.url)
