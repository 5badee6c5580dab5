/**
 * Names that differ only in case, blanks and separators are equal. Empty if there are no letters or
 * digits.
 */
export const plainName = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
