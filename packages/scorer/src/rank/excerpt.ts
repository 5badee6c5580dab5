import { defined } from '../defined.ts'
import { readQuery } from '../terms/read-query.ts'
import { termsOf } from '../terms/terms-of.ts'

/** Of a longer text, the stretch of this length that has the most of the query is looked at. */
const stretchLength = 200_000
/** What a word that stands elsewhere gets, in characters, and how many of those there are at most. */
const fragmentLength = 60
const maxFragments = 2
/** Lines, and sentences of them: what an excerpt begins and ends with where it can. */
const unit = /[^\n.!?。！？]*(?:[.!?。！？](?!\s|$)[^\n.!?。！？]*)*(?:[.!?。！？]+|\n|$)\s*/g

interface Unit {
  text: string
  /** What it has of the query. */
  terms: readonly string[]
}

/**
 * The part of a text that says most of what a query asks for: whole sentences or lines, as many as
 * fit `maxLength` characters (default 200); of a sentence that is longer, what stands around the
 * word; a row of a table behind the header of the table, if both fit. What the text says of the
 * query elsewhere follows in short fragments. Blanks are collapsed, `…` stands for what is left out.
 */
export function excerptOf(text: string, query: string, maxLength: number = 200): string {
  const room = Math.max(1, Math.floor(maxLength) - 2 || 1)
  const weights = new Map(readQuery(query).terms.map(({ term, weight }) => [term, weight]))
  const stretch = bestStretch(text, weights)
  const units = unitsOf(stretch, weights)
  const run = bestRun(units, weights, room)
  const said = new Set(units.slice(run.from, run.to).flatMap(({ terms }) => terms))
  const fragments = fragmentsOf(units, said, weights, room)
  if (fragments.length > 0) {
    const taken = fragments.reduce((sum, fragment) => sum + fragment.length + 1, 0)
    const left = room - taken
    const main = around(joined(units, bestRun(units, weights, left)), weights, left)
    const before = run.from > 0 && !main.startsWith('…') ? '…' : ''
    return [`${before}${main}`, ...fragments].join(' ').slice(0, room + 2)
  }
  const chosen = joined(units, run)
  if (chosen.length > room) return around(chosen, weights, room)
  const before = run.from > 0 ? '…' : ''
  const header = headerOf(stretch, units[run.from]?.text ?? '')
  const head = header !== '' && header.length + chosen.length + 2 <= room ? `${header} … ` : ''
  return before + head + chosen + (run.to < units.length && chosen !== '' ? '…' : '')
}

interface Run {
  from: number
  to: number
}

const joined = (units: readonly Unit[], { from, to }: Run): string =>
  units
    .slice(from, to)
    .map((one) => one.text)
    .join(' ')

/** Of a very long text, the first stretch that has the most of the query. */
function bestStretch(text: string, weights: ReadonlyMap<string, number>): string {
  if (text.length <= stretchLength) return text
  let best = { text: text.slice(0, stretchLength), worth: 0 }
  // Stretches overlap, so that no sentence of usual length is cut by the end of all of them.
  for (let at = 0; at < text.length; at += stretchLength - 1000) {
    const stretch = text.slice(at, at + stretchLength)
    let worth = 0
    for (const term of new Set(termsOf(stretch))) worth += weights.get(term) ?? 0
    if (worth > best.worth) best = { text: stretch, worth }
  }
  return best.text
}

/** What stands around words that the chosen run lacks, for each that has one of its own. */
function fragmentsOf(
  units: readonly Unit[],
  said: Set<string>,
  weights: ReadonlyMap<string, number>,
  room: number,
): string[] {
  const fragments: string[] = []
  const known = new Set(said)
  // Without a run that says something, or room for it, there is nothing to add to.
  const most = said.size > 0 && room >= 3 * fragmentLength ? maxFragments : 0
  for (const { text, terms } of units) {
    if (fragments.length === most) break
    const missing = terms.filter((term) => (weights.get(term) ?? 0) === 1 && !known.has(term))
    if (missing.length === 0) continue
    for (const term of missing) known.add(term)
    const lacking = new Map(missing.map((term) => [term, 1]))
    const fragment = around(text, lacking, fragmentLength - 4)
    fragments.push(fragment.startsWith('…') ? fragment : `…${fragment}`)
  }
  return fragments
}

/** The header of the table that a row is of; empty for what is no row, or the header itself. */
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

/** Where the line begins whose collapsed text begins as `start`; -1 if there is none. */
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

function unitsOf(text: string, weights: ReadonlyMap<string, number>): Unit[] {
  return [...text.matchAll(unit)]
    .map(([part]) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .map((part) => ({
      text: part,
      terms: [...new Set(termsOf(part))].filter((term) => weights.has(term)),
    }))
}

/** The run of units that has the most of the query; of equal ones the shortest, then the first. */
function bestRun(units: readonly Unit[], weights: ReadonlyMap<string, number>, room: number): Run {
  let best = { from: 0, to: Math.min(1, units.length), worth: 0, length: 0 }
  for (let from = 0; from < units.length; from++) {
    if (units[from]?.terms.length === 0) continue
    const found = new Set<string>()
    let worth = 0
    let length = 0
    for (let to = from; to < units.length; to++) {
      const { text, terms } = defined(units[to])
      length += text.length + (to > from ? 1 : 0)
      if (length > room && to > from) break
      for (const term of terms)
        if (!found.has(term)) {
          found.add(term)
          worth += weights.get(term) ?? 0
        }
      if (worth > best.worth || (worth === best.worth && worth > 0 && length < best.length))
        best = { from, to: to + 1, worth, length }
    }
  }
  return best
}

/** What stands around the first word of the query in a sentence too long to be given whole. */
function around(text: string, weights: ReadonlyMap<string, number>, room: number): string {
  const place = placeIn(text, weights)
  const lead = Math.floor(room / 4)
  const start = place <= lead ? 0 : place - lead
  const from = start === 0 ? 0 : nextBlank(text, start, place)
  const end = from + room >= text.length ? text.length : text.lastIndexOf(' ', from + room)
  const cut = text
    .slice(from, end > place ? end : from + room)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + room < text.length ? '…' : ''}`
}

/** Where the first word of the query stands. Unspaced writing is one long word: there the term does. */
function placeIn(text: string, weights: ReadonlyMap<string, number>): number {
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const term = termsOf(word).find((one) => (weights.get(one) ?? 0) > 0)
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
