/** What differs only in case, blanks and separators is one name. Empty for a name of signs alone. */
export const plainName = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
