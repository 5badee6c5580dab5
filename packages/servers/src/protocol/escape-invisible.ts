/** Makes invisible characters visible, so that a terminal shows them and does not obey them. */
export const escapeInvisible = (text: string): string =>
  text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  )
