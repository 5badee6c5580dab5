/** A name of a definition in any spelling: `load_grammar` and `LoadGrammar` are `loadgrammar`. */
export declare const keyOf: (name: string) => string;
//# sourceMappingURL=name-key.d.ts.map