import { readQuery } from '../terms/read-query.ts'
import { termsOf } from '../terms/terms-of.ts'

/** No excerpt is looked for behind this. */
const longestText = 200_000
/** Lines, and sentences of them: what an excerpt begins and ends with where it can. */
const unit = /[^\n.!?。！？]*(?:[.!?。！？](?!\s|$)[^\n.!?。！？]*)*(?:[.!?。！？]+|\n|$)\s*/g

interface Unit {
  text: string
  /** What it has of the query. */
  terms: readonly string[]
}

/**
 * The shortest part of a text that says most of what a query asks for: whole sentences or lines,
 * as many as fit `maxLength` characters (default 200); of a sentence that is longer, what stands
 * around the word. Blanks are collapsed, `…` stands for what is left out.
 */
export function excerptOf(text: string, query: string, maxLength: number = 200): string {
  const room = Math.max(1, Math.floor(maxLength) - 2 || 1)
  const weights = new Map(readQuery(query).terms.map(({ term, weight }) => [term, weight]))
  const units = unitsOf(text.slice(0, longestText), weights)
  const { from, to } = bestRun(units, weights, room)
  const chosen = units
    .slice(from, to)
    .map((one) => one.text)
    .join(' ')
  if (chosen.length <= room) {
    const before = from > 0 ? '…' : ''
    return before + chosen + (to < units.length && chosen !== '' ? '…' : '')
  }
  return around(chosen, weights, room)
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
function bestRun(
  units: readonly Unit[],
  weights: ReadonlyMap<string, number>,
  room: number,
): { from: number; to: number } {
  let best = { from: 0, to: Math.min(1, units.length), worth: 0, length: 0 }
  for (let from = 0; from < units.length; from++) {
    if (units[from]?.terms.length === 0) continue
    const found = new Set<string>()
    let worth = 0
    let length = 0
    for (let to = from; to < units.length; to++) {
      const { text, terms } = units[to] as Unit
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
  const words = [...text.matchAll(/\S+/g)]
  const first = words.find(([word]) => termsOf(word).some((term) => (weights.get(term) ?? 0) > 0))
  // Unspaced writing is one long word: there the first sign of the query is looked for.
  const sign = Math.min(
    ...[...weights.keys()].map((term) => text.indexOf(term)).filter((at) => at >= 0),
  )
  const place = Number.isFinite(sign) ? sign : (first?.index ?? 0)
  const lead = Math.floor(room / 4)
  const start = place <= lead ? 0 : place - lead
  const from = start === 0 ? 0 : nextBlank(text, start, place)
  const end = from + room >= text.length ? text.length : text.lastIndexOf(' ', from + room)
  const cut = text
    .slice(from, end > place ? end : from + room)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + room < text.length ? '…' : ''}`
}

function nextBlank(text: string, start: number, most: number): number {
  const blank = text.indexOf(' ', start)
  return blank >= 0 && blank < most ? blank + 1 : start
}
