/**
 * Splits text similarly to the o200k vocabulary: a word with one preceding punctuation character or
 * blank (camelCase parts separately), up to three digits, a run of punctuation, white space.
 */
const parts =
  /[^\n\p{L}\p{N}]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[^\n\p{L}\p{N}]?(?:\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+)|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+\n*|\s*\n+|\s+/gu

/**
 * Estimated number of tokens, fitted to the o200k vocabulary, without its 2 MB table. Linear in the
 * length of the text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [part] of text.matchAll(parts)) tokens += costOfPart(part)
  return Math.ceil(tokens)
}

/** Cumulative token counts at some positions of a text. */
export interface TokenScale {
  /** UTF-16 offsets, ascending, from 0 to the length of the text. */
  positions: readonly number[]
  /** Estimated tokens before each position; not rounded. */
  tokens: readonly number[]
}

const maxBetween = 256

/**
 * Counts like `estimateTokens`, once for all parts of a text: at the start of each line, and at
 * least about every 256 characters. Linear in the length of the text.
 */
export function scaleTokens(text: string): TokenScale {
  const positions = [0]
  const tokens = [0]
  let sum = 0
  let last = 0
  const mark = (at: number, before: number): void => {
    positions.push(at)
    tokens.push(before)
    last = at
  }
  for (const match of text.matchAll(parts)) {
    const [part] = match
    const own = costOfPart(part)
    const end = match.index + part.length
    for (let at = match.index + maxBetween; at < end; at += maxBetween)
      mark(at, sum + (own * (at - match.index)) / part.length)
    sum += own
    if (end - last >= maxBetween || text.charCodeAt(end - 1) === newline) mark(end, sum)
  }
  if (last < text.length) mark(text.length, sum)
  return { positions, tokens }
}

const newline = 10

/** Costs of short parts: most of a text are words that repeat. */
const known = new Map<string, number>()
const maxKnown = 8_000
const maxKnownLength = 16

function costOfPart(part: string): number {
  if (part.length > maxKnownLength) return cost(part) + costOfSign(part)
  const before = known.get(part)
  if (before !== undefined) return before
  const own = cost(part) + costOfSign(part)
  if (known.size >= maxKnown) known.clear()
  known.set(part, own)
  return own
}

function cost(part: string): number {
  const letter = (part.codePointAt(1) ?? part.codePointAt(0)) as number
  if (letter >= 0xac00 && letter <= 0xd7a3) return Math.max(1, part.length * 0.6)
  if (letter >= 0x2e80 && letter < 0xac00) return Math.max(1, part.length * 0.72)
  if (/\p{N}/u.test(part) || part.trim() === '') return 1
  const isLetter = /\p{L}/u.test(part)
  if (isSurrogate.test(part)) return part.length * (isLetter ? 1.6 : 0.8)
  if (rare.test(part)) return part.length * 2
  if (!isLetter) return Math.max(1, part.length * 0.35)
  const capitals = capitalWord.exec(part)?.[1]
  if (capitals) return 1.02 + (capitals.length - 3) * 0.22
  if (/^.?[\p{sc=Latin}\p{M}]+$/u.test(part)) return latinWord(part.length)
  return Math.max(1, part.length * 0.21)
}

/** Scripts and characters without tokens of their own: they cost their bytes. */
const rare = /[\u0700-\u08ff\u1200-\u1dff\u2c00-\u2dff\ua000-\uabff]/
const isSurrogate = /[\ud800-\udfff]/

/** Words in capitals are usually constants, few of which are a single token. */
const capitalWord = /^.?([A-Z]{4,})$/

/** Punctuation before a word is mostly part of its token, except these. */
function costOfSign(part: string): number {
  if (part.length < 2) return 0
  const first = part.charCodeAt(0)
  return first === 124 ? 0.85 : first === 96 ? 0.4 : 0
}

/** Common words are one token; longer words rarely are. */
const latinWord = (length: number): number => (length <= 6 ? 1.02 : 1.02 + (length - 6) * 0.07)
