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
export const withoutInvisible = (text: string): string =>
  text.replace(invisible, '').normalize('NFKC').replaceAll('’', "'")

const spacedLetters = /(?<![\p{L}\d])[\p{L}\d]([ ._*-])[\p{L}\d](?:\1[\p{L}\d])*(?![\p{L}\d])/gu
const wordsAndNumbers = /[a-z\d@$]+/g

/**
 * What a text says to a reader who sees through its disguise: lower-case Latin letters without
 * accents; words that were spaced out, joined by `_` or written with digits are plain words.
 */
export function foldText(text: string): string {
  const plain = withoutInvisible(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return plain
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\u0370-\u052F\u0131\u0251\u0261\u0142\u00F8\u0111\u0127]/g, replaced)
    .replace(spacedLetters, (word) => word.replace(/[ ._*-]/g, ''))
    .replace(wordsAndNumbers, (word) =>
      /[a-z]/.test(word) ? word.replace(/[\d@$]/g, replaced) : word,
    )
    .replace(/[ _]+/g, ' ')
}

const replaced = (sign: string): string => letterOf.get(sign) ?? sign
