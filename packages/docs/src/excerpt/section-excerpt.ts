import { excerptOf, readQuery, termsOf } from '@pith-mcp/scorer'
import { itemLength, type Unit, unitsOf } from './units.ts'

/** Characters of a beginning, and the shortest excerpt that has one. */
const leadLength = 200
const minWithLead = 800
/** Characters of a passage, and of the least room for one more. */
const passageLength = 600
const minPassageLength = 200
/** In characters; of a longer text, passages are looked for at its beginning only. */
const maxTextLength = 400_000
/** Share of a word's weight in a passage if another passage has the word. */
const repeatedShare = 0.3
/** Weight of a row or an item that the query names. */
const namedWeight = 20
/** Characters of `…` and the lines around it. */
const gapLength = 4

/** A part of a text. */
export interface SectionExcerpt {
  text: string
  isWhole: boolean
  /** Terms of the query that only other parts of the text have. */
  missing: string[]
}

/** Units next to each other. */
interface Passage {
  from: number
  until: number
}

/**
 * The text, if it has at most `maxLength` characters (default 1,200); otherwise its first sentences
 * and the passages of up to 600 characters with the rarest words of the query, in order. They begin
 * and end with sentences, items, rows or lines of code, and `…` stands where text is left out. A row
 * has the header of its table before it.
 */
export function sectionExcerpt(text: string, query: string, maxLength = 1_200): SectionExcerpt {
  const content = text.trim()
  if (content.length <= maxLength) return { text: content, isWhole: true, missing: [] }
  const weights = new Map(readQuery(query).terms.map(({ term, weight }) => [term, weight]))
  const selection = new Selection(content.slice(0, maxTextLength), query, weights, maxLength)
  if (maxLength >= minWithLead) selection.addLead()
  while (selection.addNew());
  selection.fill()
  while (selection.addMore());
  selection.spread()
  const excerpt = selection.text(content.length)
  const shownTerms = new Set(termsOf(excerpt))
  const beyond = termsOf(content.slice(maxTextLength)).filter((term) => weights.has(term))
  const missing = [...new Set([...selection.terms, ...beyond])].filter(
    (term) => !shownTerms.has(term),
  )
  return { text: excerpt, isWhole: false, missing }
}

/** The passages that are shown, the best first, and the room that is left. */
class Selection {
  readonly #source: string
  readonly #query: string
  readonly #units: readonly Unit[]
  readonly #rarity: ReadonlyMap<string, number>
  readonly #maxLength: number
  readonly #passages: Passage[] = []
  readonly #shown = new Set<number>()
  readonly #seen = new Set<string>()
  #lead: Passage | undefined
  #left: number

  constructor(
    source: string,
    query: string,
    weights: ReadonlyMap<string, number>,
    maxLength: number,
  ) {
    this.#source = source
    this.#query = query
    this.#units = unitsOf(source, query, new Set(weights.keys()))
    this.#rarity = raritiesOf(this.#units, weights)
    this.#maxLength = maxLength
    this.#left = maxLength - gapLength
  }

  /** The terms of the query that the text has. */
  get terms(): Iterable<string> {
    return this.#rarity.keys()
  }

  /** The first sentences; not code. */
  addLead(): void {
    let until = 0
    let length = 0
    for (const { start, end, kind, isFirst } of this.#units) {
      length += end - start
      if (kind === 'code' || kind === 'row' || (until > 0 && (isFirst || length > leadLength)))
        break
      until++
    }
    this.#lead = this.#show({ from: 0, until })
  }

  /** A short passage with words that are not shown yet; false without one. */
  addNew(): boolean {
    const most = Math.min(passageLength, this.#maxLength / Math.max(1, this.#rarity.size))
    const passage = this.#best(most, 0)
    if (passage === undefined) return false
    this.#show(passage)
    return true
  }

  /** A further passage with the words of the query. */
  addMore(): boolean {
    if (this.#left < minPassageLength) return false
    const passage = this.#best(Math.min(this.#left, passageLength), repeatedShare)
    if (passage === undefined) return false
    this.#show(passage)
    this.fill()
    return true
  }

  /**
   * Each passage with the sentence about the default that follows, with its block from the start, and
   * with what comes after it, as far as there is room.
   */
  fill(): void {
    for (const passage of this.#passages) {
      // The beginning stays short, unless no other part has a word of the query.
      if (passage === this.#lead && this.#passages.length > 1) continue
      const next = this.#units[passage.until]
      if (next?.isDefault && !next.isFirst) this.#grow(passage, passage.until, itemLength)
      while (isContinued(this.#units, passage.from) && this.#grow(passage, passage.from - 1));
      while (this.#grow(passage, passage.until));
    }
  }

  /** Each passage with more of what is around it, the best one first, until there is no room. */
  spread(): void {
    const others = this.#passages.filter((passage) => passage !== this.#lead)
    for (const passage of [...others, ...(this.#lead ? [this.#lead] : [])]) {
      while (this.#grow(passage, passage.until, Number.POSITIVE_INFINITY));
      while (this.#grow(passage, passage.from - 1, Number.POSITIVE_INFINITY));
    }
  }

  /** The passages in order, with `…` for what lies between, before and after them. */
  text(total: number): string {
    let text = ''
    let end = 0
    for (const { from, until } of this.#runs()) {
      const [first, last] = [this.#units[from], this.#units[until - 1]]
      if (first === undefined || last === undefined) continue
      const isGap = this.#source.slice(end, first.start).trim() !== ''
      if (isGap) text = `${text.trimEnd()}${text === '' ? '' : '\n'}…\n${this.#opening(from)}`
      text += this.#source.slice(isGap ? first.start : end, last.end)
      // A block of code that goes on after the passage is closed.
      if (last.fence && !last.isLast) text = `${text.trimEnd()}\n${last.fence.mark}\n`
      end = last.end
    }
    const excerpt = `${text.trimEnd()}${end < total ? '\n…' : ''}`
    // One sentence is longer than there is room.
    return excerpt.length <= this.#maxLength
      ? excerpt
      : excerptOf(excerpt, this.#query, this.#maxLength).slice(0, this.#maxLength)
  }

  /** The passages in order; those next to each other are one. */
  #runs(): Passage[] {
    const runs: Passage[] = []
    for (const passage of this.#passages.toSorted((a, b) => a.from - b.from)) {
      const last = runs.at(-1)
      if (last?.until === passage.from) last.until = passage.until
      else runs.push({ ...passage })
    }
    return runs
  }

  #show(passage: Passage): Passage {
    if (passage.until === passage.from) return passage
    this.#passages.push(passage)
    this.#left -= this.#lengthOf(passage)
    for (let at = passage.from; at < passage.until; at++) this.#mark(at)
    return passage
  }

  #mark(at: number): void {
    this.#shown.add(at)
    for (const term of this.#units[at]?.terms ?? []) this.#seen.add(term)
  }

  /** With what stands before and after it. */
  #lengthOf({ from, until }: Passage): number {
    const [first, last] = [this.#units[from], this.#units[until - 1]]
    const length = (last?.end ?? 0) - (first?.start ?? 0)
    return length + gapLength + this.#opening(from).length + (last?.fence?.mark.length ?? 0)
  }

  /** Takes the unit into the passage, if it is next to it, not shown, and there is room. */
  #grow(passage: Passage, at: number, beyond = 0): boolean {
    const unit = this.#units[at]
    if (unit === undefined || this.#shown.has(at)) return false
    const grown = { from: Math.min(passage.from, at), until: Math.max(passage.until, at + 1) }
    const length = this.#lengthOf(grown)
    const more = length - this.#lengthOf(passage)
    if (more > this.#left || length > passageLength + beyond) return false
    this.#left -= more
    this.#mark(at)
    Object.assign(passage, grown)
    return true
  }

  /** The units with the most of the query; words that are shown already count by a share. */
  #best(most: number, seenShare: number): Passage | undefined {
    let best: (Passage & { worth: number }) | undefined
    for (const [from, unit] of this.#units.entries()) {
      if (this.#shown.has(from) || unit.terms.size === 0) continue
      const terms = new Set<string>()
      let worth = 0
      for (let until = from + 1; this.#fits({ from, until }, most); until++) {
        worth += this.#worthOf(this.#units[until - 1] as Unit, terms, seenShare)
        if (worth > (best?.worth ?? 0)) best = { from, until, worth }
      }
    }
    return best && { from: best.from, until: best.until }
  }

  /** One unit may be longer than `most`; if it is the first to be shown, also than there is room. */
  #fits({ from, until }: Passage, most: number): boolean {
    const isOne = until === from + 1
    if (until > this.#units.length || this.#shown.has(until - 1)) return false
    if (isOne && this.#passages.length === 0) return true
    const length = this.#lengthOf({ from, until })
    return length <= this.#left && (isOne || length <= most)
  }

  /** What a unit adds to a passage with some terms, which get its own. */
  #worthOf({ terms, isNamed }: Unit, counted: Set<string>, seenShare: number): number {
    let worth = 0
    for (const term of terms) {
      if (!counted.has(term))
        worth += (this.#rarity.get(term) ?? 0) * (this.#seen.has(term) ? seenShare : 1)
      counted.add(term)
    }
    return worth > 0 && isNamed ? worth + namedWeight : worth
  }

  /** The header of the table, or the beginning of the code, of which a passage shows a later part. */
  #opening(at: number): string {
    const unit = this.#units[at]
    if (unit === undefined || unit.isFirst) return ''
    if (unit.fence) return unit.fence.line
    if (unit.kind !== 'row') return ''
    const { start, end } = this.#units[unit.first] as Unit
    return end - start <= itemLength ? this.#source.slice(start, end) : ''
  }
}

/** The unit before tells what this one is about: the rest of its block, or a row before a paragraph. */
const isContinued = (units: readonly Unit[], at: number): boolean =>
  units[at]?.isFirst === false || (units[at]?.kind !== 'row' && units[at - 1]?.kind === 'row')

/** The weight of each word of the query, larger for words that fewer units have. */
function raritiesOf(
  units: readonly Unit[],
  weights: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { terms } of units)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map(
    [...counts].map(([term, count]) => [
      term,
      (weights.get(term) ?? 0) * Math.log(1 + units.length / count),
    ]),
  )
}
