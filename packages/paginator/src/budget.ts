import type { Content } from './content.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** What a budget counts: UTF-16 code units, tokens of a model, or lines. */
export type Unit = 'characters' | 'tokens' | 'lines'

export interface Budget {
  budget: number
  /** Default `characters`. */
  unit?: Unit
  /** What counts tokens; default `estimateTokens`. `@pith-mcp/paginator/exact` has an exact one. */
  countTokens?: (text: string) => number
}

/** The most characters a token ever stands for, but for long runs of one sign. */
const mostPerToken = 12
const tries = 12

/**
 * The largest budget in characters, roughly, that keeps the page `cut` by it within the budget.
 * `cut` gives the text of the page for a number of characters.
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
      ? Math.min(rest, budget * mostPerToken)
      : lengthOfLines(content.text, start, budget)
  let fits = 0
  // The share of the budget that a guess uses tells the next one; halves, where it does not.
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

/** A last line without its newline counts. */
export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
