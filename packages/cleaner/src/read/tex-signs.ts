/** Commands of `mathvariant`; italics are usual, and upright signs have no other meaning. */
export const variants: Readonly<Record<string, string>> = {
  bold: '\\mathbf',
  'bold-italic': '\\boldsymbol',
  'double-struck': '\\mathbb',
  script: '\\mathcal',
  'bold-script': '\\mathcal',
  fraktur: '\\mathfrak',
  'bold-fraktur': '\\mathfrak',
  'sans-serif': '\\mathsf',
  'bold-sans-serif': '\\mathsf',
  monospace: '\\mathtt',
}

/** Commands of the notations of `menclose`; others are arguments of `\enclose`. */
export const notations: Readonly<Record<string, string>> = {
  top: '\\overline',
  bottom: '\\underline',
  box: '\\boxed',
  roundedbox: '\\boxed',
  radical: '\\sqrt',
  updiagonalstrike: '\\cancel',
  downdiagonalstrike: '\\bcancel',
}

/** The usual sign of each sign that is drawn as an accent. */
export const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '¯': '¯‾\u0304\u0305ˉ―',
    '^': 'ˆ\u0302',
    '~': '˜∼\u0303',
    '˙': '\u0307',
    '¨': '\u0308',
    '\u20db': '\u20db',
    '→': '⃗',
    '←': '\u20d6',
    '↔': '\u20e1',
    '´': '\u0301',
    '`': '\u0300',
    ˇ: '\u030c',
    '˘': '\u0306',
    '˚': '\u030a',
    _: '\u0332\u0331̲',
    '⏞': '︷',
    '⏟': '︸',
  }).flatMap(([usual, lookalikes]) => [usual, ...lookalikes].map((sign) => [sign, usual])),
)

/** Commands above one sign, and above several. */
type Commands = readonly [narrow: string, wide?: string]

export const overs: Readonly<Record<string, Commands>> = {
  '¯': ['\\bar', '\\overline'],
  _: ['\\bar', '\\overline'],
  '^': ['\\hat', '\\widehat'],
  '~': ['\\tilde', '\\widetilde'],
  '˙': ['\\dot'],
  '.': ['\\dot'],
  '¨': ['\\ddot'],
  '\u20db': ['\\dddot'],
  '→': ['\\vec', '\\overrightarrow'],
  '←': ['\\overleftarrow'],
  '↔': ['\\overleftrightarrow'],
  '´': ['\\acute'],
  '`': ['\\grave'],
  ˇ: ['\\check'],
  '˘': ['\\breve'],
  '˚': ['\\mathring'],
  '⏞': ['\\overbrace'],
}

export const unders: Readonly<Record<string, Commands>> = {
  '¯': ['\\underline'],
  _: ['\\underline'],
  '→': ['\\underrightarrow'],
  '←': ['\\underleftarrow'],
  '⏟': ['\\underbrace'],
}

/** What has its limits below and above. */
export const isOperator: RegExp =
  /^(?:[∏-∑∫-∳⋀-⋃⨀-⨆]|\\(?:det|dim|gcd|inf|ker|lim|log|max|min|sup)|\\(?:mathrm|operatorname|text)\{[^{}]*\})$/u
