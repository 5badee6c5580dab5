/** A name of a definition in any spelling: `load_grammar` and `LoadGrammar` are `loadgrammar`. */
export const keyOf = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name
