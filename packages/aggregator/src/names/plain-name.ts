/** What differs only in case, blanks and separators is one name. */
export const plainName = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
