/** Percent-decoded; unchanged if it is malformed. */
export declare function decoded(text: string): string;
