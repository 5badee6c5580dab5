/** Escapes what is special in a regular expression; with the `u` flag no others may be escaped. */
export declare const escapePattern: (text: string) => string;
