import type { Content } from '@pith-mcp/paginator'
import { readQuery, termsOf } from '@pith-mcp/scorer'
import { lineStart } from '#base/line-start'
import { type Excerpt, readExcerpt, type Source } from './excerpt.ts'

/** Words within this many characters count as one place. */
const placeLength = 300
/** Characters of a further part, and the maximum number of them. */
const furtherLength = 300
const maxFurther = 5
/** Share of a part that may precede its word. */
const maxLead = 0.4

interface Occurrence {
  at: number
  end: number
  term: string
}

/** The rest of a budget, in characters and in estimated tokens. */
export interface Budget {
  characters: number
  tokens: number
}

/** Parts of a text, the first one the longest, and the terms that none of them contains. */
export interface Passages {
  parts: [Excerpt, ...Excerpt[]]
  missing: string[]
}

/** The significant terms of a query; without such terms, also those of question words. */
export function tellingTerms(query: string, matched: readonly string[]): ReadonlySet<string> {
  const asking = readQuery(query).terms.filter(
    ({ term, weight }) => weight < 1 && !/^\d+$/.test(term),
  )
  const weak = new Set(asking.map(({ term }) => term))
  const telling = matched.filter((term) => !weak.has(term))
  return new Set(telling.length > 0 ? telling : matched)
}

/**
 * The whole text if it fits; otherwise the part from where most terms occur together. Terms that
 * this part lacks follow in short parts, at most five.
 */
export function readPassages(
  source: Source,
  terms: ReadonlySet<string>,
  budget: Budget,
  cap: number,
): Passages {
  const { content } = source
  const read: Read = (startIndex, { characters, tokens }) =>
    readExcerpt(source, { startIndex, maxLength: Math.max(1, characters) }, cap, tokens)
  const excerpt = read(0, budget)
  if (excerpt.end >= content.text.length) return { parts: [excerpt], missing: [] }
  const occurrences = occurrencesOf(content.text, terms)
  let passages: Passages = { parts: [excerpt], missing: [] }
  // Each further part shortens the first one, which may then lose a term.
  for (let further = 0; further <= maxFurther; further++) {
    const share = shareOf(budget, further)
    const parts = [readPassage(content, occurrences, without(budget, share, further), read, true)]
    let missing = missingIn(parts, occurrences)
    while (missing.length > 0 && parts.length <= further) {
      parts.push(readPassage(content, missing, share, read, false))
      missing = missingIn(parts, occurrences)
    }
    passages = {
      parts: parts as [Excerpt, ...Excerpt[]],
      missing: [...new Set(missing.map(({ term }) => term))],
    }
    if (missing.length === 0) break
  }
  return passages
}

type Read = (start: number, budget: Budget) => Excerpt

const shareOf = ({ characters, tokens }: Budget, further: number): Budget => ({
  characters: Math.min(furtherLength, Math.floor(characters / (further + 1))),
  tokens: Math.min(furtherLength, Math.floor(tokens / (further + 1))),
})

const without = (budget: Budget, share: Budget, times: number): Budget => ({
  characters: budget.characters - times * share.characters,
  tokens: Math.max(1, budget.tokens - times * share.tokens),
})

/** Occurrences of terms that no part contains completely. */
function missingIn(parts: readonly Excerpt[], occurrences: readonly Occurrence[]): Occurrence[] {
  const covered = new Set<string>()
  for (const occurrence of occurrences)
    if (parts.some((part) => hasWhole(part, occurrence))) covered.add(occurrence.term)
  return occurrences.filter(({ term }) => !covered.has(term))
}

const hasWhole = (part: Excerpt, { at, end }: Occurrence): boolean =>
  at >= part.start && end <= part.end

/** The words of a text with one of the terms, in order. */
function occurrencesOf(text: string, terms: ReadonlySet<string>): Occurrence[] {
  const occurrences: Occurrence[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if (termsOf(line).some((term) => terms.has(term)))
      for (const { 0: word, index } of line.matchAll(/[^\s|]+/g)) {
        const lower = word.toLowerCase()
        for (const term of new Set(termsOf(word)))
          if (terms.has(term)) occurrences.push(placeOf(term, lower, start + index))
      }
    start = end + 1
  }
  return occurrences
}

/** Text without spaces is one long word, so the term itself is located in it. */
function placeOf(term: string, word: string, at: number): Occurrence {
  const inside = word.length > term.length * 4 ? word.indexOf(term) : -1
  return inside < 0
    ? { at, end: at + word.length, term }
    : { at: at + inside, end: at + inside + term.length, term }
}

/**
 * The part that begins where the most terms occur within a few lines, at the first of equal places.
 */
function readPassage(
  content: Content,
  occurrences: readonly Occurrence[],
  budget: Budget,
  read: Read,
  mayBeBeginning: boolean,
): Excerpt {
  const best = bestPlace(occurrences)
  if (best === undefined) return read(0, budget)
  const isNear = mayBeBeginning && best.end <= budget.characters / 3
  const starts = [...(isNear ? [0] : []), ...beginningsBefore(content, best, budget.characters)]
  for (const start of starts) {
    const part = read(start, budget)
    if (hasWhole(part, best)) return part
  }
  return read(best.at, budget)
}

function bestPlace(occurrences: readonly Occurrence[]): Occurrence | undefined {
  let best: { place: Occurrence; terms: number } | undefined
  for (const [index, place] of occurrences.entries()) {
    const terms = new Set<string>()
    for (let next = index; next < occurrences.length; next++) {
      const occurrence = occurrences[next] as Occurrence
      if (occurrence.at - place.at > placeLength) break
      terms.add(occurrence.term)
    }
    if (best === undefined || terms.size > best.terms) best = { place, terms: terms.size }
  }
  return best?.place
}

/**
 * Starts of the block, line and sentence around a place, if the budget allows for the text before
 * it.
 */
function beginningsBefore({ text, starts, regions }: Content, place: Occurrence, budget: number) {
  const { at, end } = place
  const block = starts.findLast((start) => start <= at) ?? 0
  const line = lineStart(text, at)
  // A table row or line of code must be shown from its beginning.
  const isRow = regions.some((region) => at >= region.start && at < region.end)
  const lead = Math.min(placeLength, Math.floor(budget * maxLead))
  const isWithin = (start: number, most: number): boolean => at - start <= most
  const before = text.slice(Math.max(line, at - Math.floor(budget * 0.6)), at)
  const sentence = /^.*[.!?。！？](?:\s+|(?<=[。！？]))/s.exec(before)?.[0].length
  const blank = text.indexOf(' ', Math.max(line, at - lead))
  return [
    ...(isWithin(block, lead) ? [block] : []),
    ...(isWithin(line, isRow ? budget - (end - at) : lead) ? [line] : []),
    ...(sentence === undefined ? [] : [at - before.length + sentence]),
    ...(blank >= 0 && blank < at ? [blank + 1] : []),
  ]
}
