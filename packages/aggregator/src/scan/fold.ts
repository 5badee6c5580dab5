/** Lookalikes of Latin letters: Cyrillic, Greek, and Latin ones that do not decompose. */
const lookalikes = 'аеорсухіѕјԁһӏкмтвнгԛԝαειορυνκτχηβγωσıɑɡłøđħ'
const latin = 'aeopcyxisjdhlkmtbhrqwaeiopuvktxnbywoiaglodh'
const digits = '013457@$'
const letters = 'oieastas'
const letterOf = new Map(
  [...(lookalikes + digits)].map((sign, at) => [sign, (latin + letters)[at]]),
)

const invisible =
  /\p{Cf}|\u034F|[\u115F\u1160\u3164]|[\u180B-\u180F\uFE00-\uFE0F]|\\u\{[\dA-F]+\}/gu

/** Compatible forms of characters replaced, such as full-width letters; letters keep their script. */
export const withoutInvisible = (text: string): string => {
  const visible = text.replace(isAscii(text) ? escaped : invisible, '')
  return visible.normalize('NFKC').replaceAll('’', "'")
}

const escaped = /\\u\{[\dA-F]+\}/g
/** Most definitions are, and are folded in a third of the time. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const spacedLetters = /(?<![\p{L}\d])[\p{L}\d]([ ._*-])[\p{L}\d](?:\1[\p{L}\d])*(?![\p{L}\d])/gu
const wordsAndNumbers = /(?<![a-z\d@$])[a-z]*[\d@$][a-z\d@$]*/g

/**
 * What a text says to a reader who sees through its disguise: lower-case Latin letters without
 * accents; words that were spaced out, joined by `_` or written with digits are plain words.
 */
export function foldText(text: string): string {
  const visible = withoutInvisible(text)
  return latinOf(visible)
    .replace(spacedLetters, (word) => word.replace(/[ ._*-]/g, ''))
    .replace(wordsAndNumbers, (word) =>
      /[a-z]/.test(word) ? word.replace(/[\d@$]/g, replaced) : word,
    )
    .replace(/[ _]+/g, ' ')
}

function latinOf(text: string): string {
  if (isAscii(text)) return text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\u0370-\u052F\u0131\u0251\u0261\u0142\u00F8\u0111\u0127]/g, replaced)
}

const replaced = (sign: string): string => letterOf.get(sign) ?? sign
