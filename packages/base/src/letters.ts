/** Letters and digits alone, in lower case. */
export const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
