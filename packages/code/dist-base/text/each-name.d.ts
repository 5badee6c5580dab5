/** Calls `visit` for each name in a text; words are names too. In half the time of a pattern. */
export declare function eachName(text: string, visit: (name: string, at: number) => void): void;
//# sourceMappingURL=each-name.d.ts.map