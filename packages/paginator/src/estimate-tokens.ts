import { PartReader } from './part-reader.ts'

/**
 * Estimated number of tokens, fitted to the o200k vocabulary, without its 2 MB table. Linear in the
 * length of the text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  const parts = new PartReader(text)
  while (parts.next()) tokens += parts.tokens
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
  const parts = new PartReader(text)
  while (parts.next()) {
    const { start, end, tokens: partTokens } = parts
    for (let at = start + maxBetween; at < end; at += maxBetween)
      mark(at, sum + (partTokens * (at - start)) / (end - start))
    sum += partTokens
    if (end - last >= maxBetween || text.charCodeAt(end - 1) === newline) mark(end, sum)
  }
  if (last < text.length) mark(text.length, sum)
  return { positions, tokens }
}

const newline = 10
