/** Costs of short parts: most of a text are words that repeat. */
const costs = new Map<string, number>()
const maxKnown = 8_000
const maxKnownLength = 16

/** Estimated tokens of any part. */
export function tokensOfPart(part: string): number {
  if (part.length > maxKnownLength) return costOf(part)
  const before = costs.get(part)
  if (before !== undefined) return before
  const cost = costOf(part)
  if (costs.size >= maxKnown) costs.clear()
  costs.set(part, cost)
  return cost
}

const costOf = (part: string): number =>
  costOfCharacters(part) + costOfSign(part.charCodeAt(0), part.length)

function costOfCharacters(part: string): number {
  const letter = (part.codePointAt(1) ?? part.codePointAt(0)) as number
  if (letter >= 0xac00 && letter <= 0xd7a3) return Math.max(1, part.length * 0.6)
  if (letter >= 0x2e80 && letter < 0xac00) return Math.max(1, part.length * 0.72)
  if (/\p{N}/u.test(part) || part.trim() === '') return 1
  const isLetter = /\p{L}/u.test(part)
  if (isSurrogate.test(part)) return part.length * (isLetter ? 1.6 : 0.8)
  if (rare.test(part)) return part.length * 2
  if (!isLetter) return Math.max(1, part.length * 0.35)
  const capitals = capitalWord.exec(part)?.[1]
  if (capitals) return capitalsWord(capitals.length)
  if (/^.?[\p{sc=Latin}\p{M}]+$/u.test(part)) return latinWord(part.length)
  return Math.max(1, part.length * 0.21)
}

/** Scripts and characters without tokens of their own: they cost their bytes. */
const rare = /[\u0700-\u08ff\u1200-\u1dff\u2c00-\u2dff\ua000-\uabff]/
const isSurrogate = /[\ud800-\udfff]/

/** Words in capitals are usually constants, few of which are a single token. */
const capitalWord = /^.?([A-Z]{4,})$/

const capitalsWord = (length: number): number => 1.02 + (length - 3) * 0.22

/** Punctuation before a word is mostly part of its token, except these. */
export function costOfSign(first: number, length: number): number {
  if (length < 2) return 0
  return first === 124 ? 0.85 : first === 96 ? 0.4 : 0
}

/** Common words are one token; longer words rarely are. */
const latinWord = (length: number): number => (length <= 6 ? 1.02 : 1.02 + (length - 6) * 0.07)

/** A word of ASCII letters; `capitals`: their number, or 0 if some letters are small. */
export function costOfWord(length: number, capitals: number, hasSign: boolean): number {
  // The first of five capitals is taken for a sign, as `capitalWord` does.
  const counted = hasSign || capitals === 4 ? capitals : capitals - 1
  return counted >= 4 ? capitalsWord(counted) : latinWord(length)
}
