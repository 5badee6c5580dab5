/** Text of others as it is shown: a terminal shows what is hidden in it, and does nothing it says. */
export const visible = (text: string): string =>
  text.replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  )
