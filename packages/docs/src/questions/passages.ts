import type { Content } from '@pith-mcp/paginator'
import { readQuery, termsOf } from '@pith-mcp/scorer'
import { type Excerpt, readExcerpt, type Source } from './excerpt.ts'

/** Words this close, in characters, are one place. */
const placeLength = 300
/** Characters of a further place, and how many of those are given. */
const furtherLength = 300
const maxFurther = 5
/** What of a part may stand before the word it is given for. */
const maxLead = 0.4

/** A word of the query in a text. */
interface Occurrence {
  at: number
  end: number
  term: string
}

/** What is left of a budget, in characters and in estimated tokens. */
export interface Room {
  characters: number
  tokens: number
}

/** Parts of a text, the first one the longest, and the terms that none of them has. */
export interface Passages {
  parts: [Excerpt, ...Excerpt[]]
  missing: string[]
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
 * Terms that this part lacks follow in short parts of their own, at most five.
 */
export function readPassages(
  source: Source,
  terms: ReadonlySet<string>,
  room: Room,
  cap: number,
): Passages {
  const { content } = source
  const read: Read = (startIndex, { characters, tokens }) =>
    readExcerpt(source, { startIndex, maxLength: Math.max(1, characters) }, cap, tokens)
  const whole = read(0, room)
  if (whole.end >= content.text.length) return { parts: [whole], missing: [] }
  const occurrences = occurrencesOf(content.text, terms)
  let passages: Passages = { parts: [whole], missing: [] }
  // Each further part takes from the first one, which may lose a word by that.
  for (let further = 0; further <= maxFurther; further++) {
    const share = shareOf(room, further)
    const parts = [readPlace(content, occurrences, without(room, share, further), read, true)]
    let lacking = lackingIn(parts, occurrences)
    while (lacking.length > 0 && parts.length <= further) {
      parts.push(readPlace(content, lacking, share, read, false))
      lacking = lackingIn(parts, occurrences)
    }
    passages = {
      parts: parts as [Excerpt, ...Excerpt[]],
      missing: [...new Set(lacking.map(({ term }) => term))],
    }
    if (lacking.length === 0) break
  }
  return passages
}

type Read = (start: number, room: Room) => Excerpt

/** Of each further part. */
const shareOf = ({ characters, tokens }: Room, further: number): Room => ({
  characters: Math.min(furtherLength, Math.floor(characters / (further + 1))),
  tokens: Math.min(furtherLength, Math.floor(tokens / (further + 1))),
})

const without = (room: Room, share: Room, times: number): Room => ({
  characters: room.characters - times * share.characters,
  tokens: Math.max(1, room.tokens - times * share.tokens),
})

/** Where terms stand that none of the parts has whole. */
function lackingIn(parts: readonly Excerpt[], occurrences: readonly Occurrence[]): Occurrence[] {
  const given = new Set<string>()
  for (const occurrence of occurrences)
    if (parts.some((part) => hasWhole(part, occurrence))) given.add(occurrence.term)
  return occurrences.filter(({ term }) => !given.has(term))
}

const hasWhole = (part: Excerpt, { at, end }: Occurrence): boolean =>
  at >= part.start && end <= part.end

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
          if (terms.has(term)) found.push(placeOf(term, lower, start + index))
      }
    start = end + 1
  }
  return found
}

/** Unspaced writing is one long word: there the term itself is looked for. */
function placeOf(term: string, word: string, at: number): Occurrence {
  const inside = word.length > term.length * 4 ? word.indexOf(term) : -1
  return inside < 0
    ? { at, end: at + word.length, term }
    : { at: at + inside, end: at + inside + term.length, term }
}

/** The part that begins where the most terms stand within a few lines; of equal places at the first. */
function readPlace(
  content: Content,
  occurrences: readonly Occurrence[],
  room: Room,
  read: Read,
  mayBeBeginning: boolean,
): Excerpt {
  const best = bestPlace(occurrences)
  if (best === undefined) return read(0, room)
  const isNear = mayBeBeginning && best.end <= room.characters / 3
  const starts = [...(isNear ? [0] : []), ...beginningsBefore(content, best, room.characters)]
  for (const start of starts) {
    const part = read(start, room)
    if (hasWhole(part, best)) return part
  }
  return read(best.at, room)
}

function bestPlace(occurrences: readonly Occurrence[]): Occurrence | undefined {
  let best: { place: Occurrence; terms: number } | undefined
  for (const [index, place] of occurrences.entries()) {
    const terms = new Set<string>()
    for (let next = index; next < occurrences.length; next++) {
      const other = occurrences[next] as Occurrence
      if (other.at - place.at > placeLength) break
      terms.add(other.term)
    }
    if (best === undefined || terms.size > best.terms) best = { place, terms: terms.size }
  }
  return best?.place
}

/** The beginnings of the block, line and sentence around a place, as far as there is room before it. */
function beginningsBefore({ text, starts, regions }: Content, place: Occurrence, room: number) {
  const { at, end } = place
  const block = starts.findLast((start) => start <= at) ?? 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  // A row or a line of code without its beginning is another one.
  const isRow = regions.some((region) => at >= region.start && at < region.end)
  const lead = Math.min(placeLength, Math.floor(room * maxLead))
  const isWithin = (start: number, most: number): boolean => at - start <= most
  const before = text.slice(Math.max(line, at - Math.floor(room * 0.6)), at)
  const sentence = /^.*[.!?。！？](?:\s+|(?<=[。！？]))/s.exec(before)?.[0].length
  const blank = text.indexOf(' ', Math.max(line, at - lead))
  return [
    ...(isWithin(block, lead) ? [block] : []),
    ...(isWithin(line, isRow ? room - (end - at) : lead) ? [line] : []),
    ...(sentence === undefined ? [] : [at - before.length + sentence]),
    ...(blank >= 0 && blank < at ? [blank + 1] : []),
  ]
}
