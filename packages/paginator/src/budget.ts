import type { Content } from './content.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** Units of a budget: UTF-16 code units, tokens of a model, or lines. */
export type Unit = 'characters' | 'tokens' | 'lines'

/** The size of a page in a unit. */
export interface Budget {
  budget: number
  /** Default `characters`. */
  unit?: Unit
  /** Counts tokens; default `estimateTokens`. `@pith-mcp/paginator/exact` provides an exact one. */
  countTokens?: (text: string) => number
}

/** Maximum number of characters per token, except for long runs of one character. */
const maxPerToken = 12
const tries = 12

/**
 * Approximately the largest number of characters for which the page of `cut` stays within the
 * budget. `cut` returns the text of the page for a number of characters.
 */
export function charactersFor(
  content: Content,
  start: number,
  { budget, unit = 'characters', countTokens = estimateTokens }: Budget,
  cut: (characters: number) => string,
): number {
  if (unit === 'characters') return budget
  const count = unit === 'tokens' ? countTokens : countLines
  const rest = content.text.length - start
  let most =
    unit === 'tokens'
      ? Math.min(rest, budget * maxPerToken)
      : lengthOfLines(content.text, start, budget)
  let fits = 0
  // Each guess scales the previous one by its share of the budget, or halves the interval.
  for (
    let guess = unit === 'tokens' ? Math.min(most, budget * 4) : most, round = 0;
    round < tries;
    round++
  ) {
    const used = count(cut(guess))
    if (used <= budget) fits = Math.max(fits, guess)
    else most = Math.min(most, guess - 1)
    if (used <= budget && (used >= budget * 0.95 || guess >= most)) break
    if (fits >= most) break
    const aimed = Math.floor((guess * budget * 0.98) / Math.max(1, used))
    guess = aimed > fits && aimed <= most ? aimed : Math.floor((fits + most + 1) / 2)
  }
  return fits
}

function lengthOfLines(text: string, start: number, lines: number): number {
  let end = start
  for (let line = 0; line < lines; line++) {
    const newline = text.indexOf('\n', end)
    if (newline < 0) return text.length - start
    end = newline + 1
  }
  return end - start
}

/** A last line without a newline counts. */
export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
