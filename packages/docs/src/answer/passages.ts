import type { Content } from '@pith-mcp/paginator'
import { readQuery, termsOf } from '@pith-mcp/scorer'
import { type Excerpt, readExcerpt, type Source } from './excerpt.ts'

/** Words this close, in characters, are one place. */
const placeLength = 300
/** Characters of a further place, and how many of those are given. */
const furtherLength = 300
const maxFurther = 3

/** A word of the query in a text. */
interface Occurrence {
  at: number
  term: string
}

/** What is left of a budget, in characters and in estimated tokens. */
export interface Room {
  characters: number
  tokens: number
}

/** Terms that say what is asked for; those of words that only ask, if there are no others. */
export function tellingTerms(query: string, matched: readonly string[]): ReadonlySet<string> {
  const asking = readQuery(query).terms.filter(
    ({ term, weight }) => weight < 1 && !/^\d+$/.test(term),
  )
  const weak = new Set(asking.map(({ term }) => term))
  const telling = matched.filter((term) => !weak.has(term))
  return new Set(telling.length > 0 ? telling : matched)
}

/**
 * The whole text if it fits; else the part of it that begins where most of the terms stand together.
 * Terms that this part lacks follow in short parts of their own, at most three.
 */
export function readPassages(
  source: Source,
  terms: ReadonlySet<string>,
  room: Room,
  cap: number,
): [Excerpt, ...Excerpt[]] {
  const { content } = source
  const read = (startIndex: number, maxLength: number) =>
    readExcerpt(source, { startIndex, maxLength }, cap, room.tokens)
  const whole = read(0, room.characters)
  if (whole.end >= content.text.length) return [whole]
  const occurrences = occurrencesOf(content.text, terms)
  const start = startOf(content, occurrences, room.characters)
  let main = start === 0 ? whole : read(start, room.characters)
  let lacking = lackingIn([main], occurrences)
  if (lacking.length === 0) return [main]
  const further = Math.min(maxFurther, new Set(lacking.map(({ term }) => term)).size)
  const share = Math.min(furtherLength, Math.floor(room.characters / (further + 1)))
  main = read(start, Math.max(1, room.characters - further * share))
  const parts: [Excerpt, ...Excerpt[]] = [main]
  for (let part = 0; part < further; part++) {
    lacking = lackingIn(parts, occurrences)
    if (lacking.length === 0) break
    parts.push(read(startOf(content, lacking, share), Math.max(1, share)))
  }
  return parts
}

/** Where terms stand that none of the parts has. */
function lackingIn(parts: readonly Excerpt[], occurrences: readonly Occurrence[]): Occurrence[] {
  const given = new Set<string>()
  for (const { at, term } of occurrences)
    if (parts.some(({ start, end }) => at >= start && at < end)) given.add(term)
  return occurrences.filter(({ term }) => !given.has(term))
}

/** The words of a text that have one of the terms, in order. */
function occurrencesOf(text: string, terms: ReadonlySet<string>): Occurrence[] {
  const found: Occurrence[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if (termsOf(line).some((term) => terms.has(term)))
      for (const { 0: word, index } of line.matchAll(/[^\s|]+/g)) {
        const lower = word.toLowerCase()
        for (const term of new Set(termsOf(word)))
          if (terms.has(term)) {
            // Unspaced writing is one long word.
            const inside = Math.max(0, lower.indexOf(term))
            found.push({ at: start + index + (word.length > term.length * 4 ? inside : 0), term })
          }
      }
    start = end + 1
  }
  return found
}

/** Where to begin, so that the most terms follow within a few lines; of equal places the first. */
function startOf(content: Content, occurrences: readonly Occurrence[], room: number): number {
  let best = { at: 0, terms: 0 }
  for (const [index, { at }] of occurrences.entries()) {
    const terms = new Set<string>()
    for (let next = index; next < occurrences.length; next++) {
      const other = occurrences[next] as Occurrence
      if (other.at - at > placeLength) break
      terms.add(other.term)
    }
    if (terms.size > best.terms) best = { at, terms: terms.size }
  }
  return best.at <= room / 4 ? 0 : beginningBefore(content, best.at, room)
}

/** The beginning of the block, line or sentence around a place, as far as there is room before it. */
function beginningBefore({ text, starts }: Content, at: number, room: number): number {
  const lead = Math.max(0, Math.min(placeLength, Math.floor((room - 300) / 2)))
  const block = starts.findLast((start) => start <= at) ?? 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(Math.max(0, at - lead), at)
  const sentence = /^.*[.!?。！？]\s+/s.exec(before)?.[0].length ?? before.length
  return [block, line].find((start) => at - start <= lead) ?? at - before.length + sentence
}
