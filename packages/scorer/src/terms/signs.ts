/** A sign of an operator, in Markdown possibly escaped. */
const sign = String.raw`(?:\\?[&<>=?!:.*+\-/%^~@$#|])`
const tick = '`'
const operator = '(?:operator|Operator)'
const before = String.raw`(?<![^\s("'“${tick}|])`
const after = String.raw`(?=[.,;:?!]?(?:[\s)"'”${tick}]|$))`
/** Rules, bullets, headings and pauses. */
const markup = String.raw`(?!(?:[-:]{2,}|\.{2,3}|#{2,3}|\*{2,3}|~{2,3})(?:[\s)"'”${tick}]|$))`

/** Quoted as code, next to the word operator, or two or three that stand alone. */
const operators = [
  `(?<=${tick})${sign}{1,3}(?=${tick})`,
  String.raw`(?<=\b${operator}s?\s["'“(${tick}]?)${sign}{1,3}?${after}`,
  String.raw`(?<=\b${operator})[&<>=!*+\-/%^~|]{1,3}(?![\w&<>=!*+\-/%^~|])`,
  String.raw`${before}${sign}{1,3}(?=["'”)${tick}]?\s${operator})`,
  `${before}${markup}${sign}{2,3}?${after}`,
].join('|')

/** Patterns of signs. At most three signs are an operator. */
export const signs: Readonly<{ endOfName: string; operator: string; only: RegExp }> = {
  /** `C++`, `F#` */
  endOfName: String.raw`(?:\+\+(?![A-Za-z_+])|#(?![\w#]))?`,
  operator: `(?=${sign})(?:${operators})`,
  only: /^[^\w\u0080-\uffff]+$/,
}
