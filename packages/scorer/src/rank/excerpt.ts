import { defined } from '../defined.ts'
import { readQuery } from '../terms/read-query.ts'
import { termsOf } from '../terms/terms-of.ts'

/** In characters; of a longer text, only the best part of this length is used. */
const stretchLength = 200_000
/** Characters of a fragment, and the maximum number of fragments. */
const fragmentLength = 60
const maxFragments = 2
/** Lines and sentences, at which an excerpt begins and ends if possible. */
const unit = /[^\n.!?。！？]*(?:[.!?。！？](?!\s|$)[^\n.!?。！？]*)*(?:[.!?。！？]+|\n|$)\s*/g

interface Unit {
  text: string
  /** Its terms of the query. */
  terms: readonly string[]
  /** Factor on its terms: text explains more than a line of code. */
  share: number
}

/**
 * The part of a text that matches a query best: whole sentences or lines up to `maxLength`
 * characters (default 200); of a longer sentence, the text around the match; a table row after its
 * header, if both fit. Further matches follow as short fragments. White space is collapsed, and `…`
 * marks omitted text.
 */
export function excerptOf(text: string, query: string, maxLength: number = 200): string {
  const budget = Math.max(1, Math.floor(maxLength) - 2 || 1)
  const weights = new Map(readQuery(query).terms.map(({ term, weight }) => [term, weight]))
  const stretch = bestStretch(text, weights)
  const units = unitsOf(stretch, weights)
  const run = bestRun(units, weights, budget)
  const runTerms = new Set(units.slice(run.from, run.to).flatMap(({ terms }) => terms))
  const fragments = fragmentsOf(units, runTerms, weights, budget)
  if (fragments.length > 0) {
    const fragmentsLength = fragments.reduce((sum, fragment) => sum + fragment.length + 1, 0)
    const room = budget - fragmentsLength
    const main = around(joined(units, bestRun(units, weights, room)), weights, room)
    const before = run.from > 0 && !main.startsWith('…') ? '…' : ''
    return [`${before}${main}`, ...fragments].join(' ').slice(0, budget + 2)
  }
  if (joined(units, run).length > budget) return around(joined(units, run), weights, budget)
  const full = runTerms.size > 0 ? filled(units, run, budget) : run
  const passage = joined(units, full)
  const before = full.from > 0 ? '…' : ''
  const header = headerOf(stretch, units[full.from]?.text ?? '')
  const head = header !== '' && header.length + passage.length + 2 <= budget ? `${header} … ` : ''
  return before + head + passage + (full.to < units.length && passage !== '' ? '…' : '')
}

interface Run {
  from: number
  to: number
}

const joined = (units: readonly Unit[], { from, to }: Run): string =>
  units
    .slice(from, to)
    .map((unit) => unit.text)
    .join(' ')

/** The first part of a very long text that contains the most of the query. */
function bestStretch(text: string, weights: ReadonlyMap<string, number>): string {
  if (text.length <= stretchLength) return text
  let best = { text: text.slice(0, stretchLength), worth: 0 }
  // Parts overlap, so that a sentence of usual length is complete in one of them.
  for (let at = 0; at < text.length; at += stretchLength - 1000) {
    const stretch = text.slice(at, at + stretchLength)
    let worth = 0
    for (const term of new Set(termsOf(stretch))) worth += weights.get(term) ?? 0
    if (worth > best.worth) best = { text: stretch, worth }
  }
  return best.text
}

/** Text around the words that the chosen part lacks. */
function fragmentsOf(
  units: readonly Unit[],
  runTerms: Set<string>,
  weights: ReadonlyMap<string, number>,
  budget: number,
): string[] {
  const fragments: string[] = []
  const usedTerms = new Set(runTerms)
  // Fragments require a part with a match and enough room.
  const most = runTerms.size > 0 && budget >= 3 * fragmentLength ? maxFragments : 0
  for (const { text, terms } of units) {
    if (fragments.length === most) break
    const missing = terms.filter((term) => (weights.get(term) ?? 0) === 1 && !usedTerms.has(term))
    if (missing.length === 0) continue
    for (const term of missing) usedTerms.add(term)
    const lacking = new Map(missing.map((term) => [term, 1]))
    const fragment = around(text, lacking, fragmentLength - 4)
    fragments.push(fragment.startsWith('…') ? fragment : `…${fragment}`)
  }
  return fragments
}

/** The header of the table of a row; empty for other text and for the header itself. */
function headerOf(text: string, row: string): string {
  let start = row.startsWith('|') ? lineAt(text, row) : -1
  let rule = ''
  let header = ''
  // Back to the first line of the table.
  while (start > 0) {
    const before = text.lastIndexOf('\n', start - 2) + 1
    if (!text.startsWith('|', before)) break
    rule = header
    header = text.slice(before, start - 1)
    start = before
  }
  return /^\|[-:| ]+\|?\s*$/.test(rule) ? header.replace(/\s+/g, ' ').trim() : ''
}

/** The start of the line whose collapsed text begins with `start`; -1 if not found. */
function lineAt(text: string, start: string): number {
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (text.startsWith('|', at) && text.slice(at, end).replace(/\s+/g, ' ').startsWith(start))
      return at
    at = end + 1
  }
  return -1
}

/** Weight of a line of code relative to a sentence. */
const codeShare = 0.6

function unitsOf(text: string, weights: ReadonlyMap<string, number>): Unit[] {
  const units: Unit[] = []
  let isCode = false
  for (const [part] of text.matchAll(unit)) {
    const line = part.replace(/\s+/g, ' ').trim()
    const isFence = /^(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    if (isFence || line === '') continue
    const terms = termsOf(line).filter((term) => weights.has(term))
    units.push({ text: line, terms, share: isCode ? codeShare : 1 })
  }
  return units
}

/**
 * The consecutive units that contain the most of the query; of equal ones the shortest, then the
 * first.
 */
function bestRun(
  units: readonly Unit[],
  weights: ReadonlyMap<string, number>,
  budget: number,
): Run {
  let best = { from: 0, to: Math.min(1, units.length), worth: 0, length: 0 }
  for (let from = 0; from < units.length; from++) {
    if (units[from]?.terms.length === 0) continue
    const matchedTerms = new Set<string>()
    let worth = 0
    let length = 0
    for (let to = from; to < units.length; to++) {
      const { text, terms, share } = defined(units[to])
      length += text.length + (to > from ? 1 : 0)
      if (length > budget && to > from) break
      for (const term of terms)
        if (!matchedTerms.has(term)) {
          matchedTerms.add(term)
          worth += (weights.get(term) ?? 0) * share
        }
      if (worth > best.worth || (worth === best.worth && worth > 0 && length < best.length))
        best = { from, to: to + 1, worth, length }
    }
  }
  return best
}

/** The run with the units after it, and then those before it, that fit as well. */
function filled(units: readonly Unit[], run: Run, budget: number): Run {
  let { from, to } = run
  let { length } = joined(units, run)
  const fits = (at: number): boolean => {
    const next = units[at]
    // A table row has its header before it instead.
    if (!next || next.text.startsWith('|') || length + next.text.length + 1 > budget) return false
    length += next.text.length + 1
    return true
  }
  while (fits(to)) to++
  while (fits(from - 1)) from--
  return { from, to }
}

/** The text around the first match in a sentence that does not fit. */
function around(text: string, weights: ReadonlyMap<string, number>, budget: number): string {
  const place = placeIn(text, weights)
  const lead = Math.floor(budget / 4)
  const start = place <= lead ? 0 : place - lead
  const from = start === 0 ? 0 : nextBlank(text, start, place)
  const end = from + budget >= text.length ? text.length : text.lastIndexOf(' ', from + budget)
  const cut = text
    .slice(from, end > place ? end : from + budget)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + budget < text.length ? '…' : ''}`
}

/**
 * The position of the first match. Text without spaces is one long word, so the term itself is
 * located in it.
 */
function placeIn(text: string, weights: ReadonlyMap<string, number>): number {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const term = termsOf(word).find((candidate) => (weights.get(candidate) ?? 0) > 0)
    if (term === undefined) continue
    const inside = word.length > term.length * 4 ? word.toLowerCase().indexOf(term) : 0
    return index + Math.max(0, inside)
  }
  return 0
}

function nextBlank(text: string, start: number, most: number): number {
  const blank = text.indexOf(' ', start)
  return blank >= 0 && blank < most ? blank + 1 : start
}
