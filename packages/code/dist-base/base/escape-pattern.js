/** Escapes what is special in a regular expression; with the `u` flag no others may be escaped. */
export const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
