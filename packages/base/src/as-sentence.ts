/** Adds a full stop to messages of other packages, which may or may not end with one. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
