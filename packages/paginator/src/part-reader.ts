import { costOfSign, costOfWord, tokensOfPart } from './part-cost.ts'

/**
 * Splits text similarly to the o200k vocabulary: a word with one preceding punctuation character or
 * blank (camelCase parts separately), up to three digits, a run of punctuation, white space.
 */
export const partPattern: RegExp =
  /[^\n\p{L}\p{N}]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[^\n\p{L}\p{N}]?(?:\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+)|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+\n*|\s*\n+|\s+/uy

const upper = 1
const lower = 2
const letter = upper | lower
const digit = 4
const newline = 8
const blank = 16
const sign = 32
const end = 64
/** Classes of ASCII characters. Those of class 0, and all others, are left to the pattern. */
const classes = new Uint8Array(128).fill(sign)
for (const [first, last, of] of [
  ['A', 'Z', upper],
  ['a', 'z', lower],
  ['0', '9', digit],
  ['\t', '\f', blank],
  [' ', ' ', blank],
  ['\n', '\n', newline],
  ['\r', '\r', 0],
] as const)
  classes.fill(of, first.charCodeAt(0), last.charCodeAt(0) + 1)

const space = 32

/** Reads the parts of a text in turn; those of ASCII characters without the pattern and strings. */
export class PartReader {
  readonly #text: string
  /** The part, and its estimated tokens, not rounded. */
  start = 0
  end = 0
  tokens = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Read the next part; false at the end of the text. */
  next(): boolean {
    this.start = this.end
    if (this.start >= this.#text.length) return false
    this.#readAscii()
    // Whether the part goes on depends on the character behind it.
    if (this.#classAt(this.end) === 0 || this.end === this.start) this.#readByPattern()
    return true
  }

  #readByPattern(): void {
    partPattern.lastIndex = this.start
    const [part] = partPattern.exec(this.#text) ?? []
    // Letters in title case, of which there are 31, belong to no part.
    this.end = part === undefined ? this.start + 1 : partPattern.lastIndex
    this.tokens = part === undefined ? 0 : tokensOfPart(part)
  }

  #classAt(index: number): number {
    if (index >= this.#text.length) return end
    return classes[this.#text.charCodeAt(index)] ?? 0
  }

  /** Index of the first character from `start` on that is of none of the classes. */
  #skip(start: number, skipped: number): number {
    let index = start
    while (this.#classAt(index) & skipped) index++
    return index
  }

  #readAscii(): void {
    const { start } = this
    const first = this.#classAt(start)
    if (first & letter) this.#readWord(start)
    else if (first & (blank | sign) && this.#classAt(start + 1) & letter) this.#readWord(start + 1)
    else if (first === digit) {
      this.end = Math.min(this.#skip(start, digit), start + 3)
      this.tokens = 1
    } else {
      const signs = this.#text.charCodeAt(start) === space ? start + 1 : start
      if (this.#classAt(signs) === sign) this.#readSigns(signs)
      else this.#readBlanks()
    }
  }

  /** A word in capitals, or one with at most its first letter as a capital. */
  #readWord(letters: number): void {
    const second = this.#classAt(letters + 1)
    const isCapitals = this.#classAt(letters) === upper && second !== lower
    this.end = this.#skip(letters + 1, isCapitals ? upper : lower)
    const length = this.end - this.start
    const word = costOfWord(length, isCapitals ? this.end - letters : 0, letters > this.start)
    this.tokens = word + costOfSign(this.#text.charCodeAt(this.start), length)
  }

  #readSigns(signs: number): void {
    this.end = this.#skip(this.#skip(signs, sign), newline)
    const length = this.end - this.start
    this.tokens = Math.max(1, length * 0.35) + costOfSign(this.#text.charCodeAt(this.start), length)
  }

  /** White space up to its last newline, or all of it if it has none. */
  #readBlanks(): void {
    const all = this.#skip(this.start, blank | newline)
    let last = all - 1
    while (last >= this.start && this.#classAt(last) !== newline) last--
    // White space of other scripts may follow, and another newline.
    this.end = last < this.start || this.#classAt(all) === 0 ? all : last + 1
    this.tokens = 1
  }
}
