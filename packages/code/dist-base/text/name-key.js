/** A name of a definition in any spelling: `load_grammar` and `LoadGrammar` are `loadgrammar`. */
export const keyOf = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name;
//# sourceMappingURL=name-key.js.map