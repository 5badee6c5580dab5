import { termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'

/** A part of a text that is not divided: a sentence, an item, a row, a line or block of code. */
export interface Unit {
  start: number
  end: number
  kind: 'sentence' | 'item' | 'row' | 'code'
  /** Its terms of the query. */
  terms: ReadonlySet<string>
  /** It is a row or an item about what the query names. */
  isNamed: boolean
  /** It tells a default. */
  isDefault: boolean
  /** The first and the last unit of a paragraph, list item, table or block of code. */
  isFirst: boolean
  isLast: boolean
  /** Number of the first unit of the block. */
  first: number
  /** Of code: what opens and closes it. */
  fence: { mark: string; line: string } | undefined
}

/** Characters of an item that is not divided into sentences, and of the longest unit. */
export const itemLength = 400
const maxUnitLength = 600

const marker = /^\s*(?:[-*+]|\d{1,9}[.)])\s/
const sentence =
  /[^.!?。！？]*(?:[.!?](?![\s）」』"')\]]|$)[^.!?。！？]*)*[.!?。！？]*[）」』"')\]]*\s*/g
const delimiter = /^\|[-:| ]+\|?\s*$/

const defaults = /\bdefaults?\b|既定|デフォルト|默认|預設/i

/** What a row or an item begins with: its first cell, or the text before a colon or dash. */
const subject =
  /^(?:\||\s*(?:[-*+]|\d{1,9}[.)])\s+)((?:\\.|[^|\n:\\]){1,200}?)(?=\||:|\s[-–—]\s|\n|$)/
/** What an item, a row or a paragraph begins with, if it is code or bold: a name. */
const markedName = /^(?:\|\s*|\s*(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*`?|`)([^`*\n]{1,100})/
/** A word of a query that is a name by its form: signs or capitals within it, or dashes before it. */
const identifier =
  /(?<![\p{L}\p{N}_])(?:-{1,2}[\p{L}\p{N}]|[\p{L}\p{N}]+[_.:\-/]+[\p{L}\p{N}_]|[\p{Ll}\p{N}]+\p{Lu}|\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}]))[\p{L}\p{N}_.:\-/]*/gu

/** The words of a query that are names by their form. */
export const namesIn = (query: string): string[] => query.match(identifier) ?? []

/**
 * The text in units, in order and without a gap, with their terms of a query. The first row of a
 * table holds its header.
 */
export function unitsOf(text: string, query: string, terms: ReadonlySet<string>): Unit[] {
  const names = new Set([query, ...namesIn(query)].map(letters))
  const units: Unit[] = []
  for (const block of blocksOf(text)) {
    const { kind, fence } = block
    const first = units.length
    const isAbout = isNamedBlock(text.slice(block.start, block.start + nameLength), kind, names)
    const ends =
      isAbout && block.end - block.start <= namedLength ? [block.end] : endsIn(text, block)
    for (const [at, end] of ends.entries()) {
      const start = ends[at - 1] ?? block.start
      const part = text.slice(start, end)
      const about = kind === 'row' ? subject.exec(part)?.[1] : undefined
      units.push({
        start,
        end,
        kind,
        fence,
        first,
        isFirst: at === 0,
        isLast: at === ends.length - 1,
        isNamed: kind === 'row' ? about !== undefined && names.has(letters(about)) : isAbout,
        isDefault: defaults.test(part),
        terms: new Set(termsOf(part).filter((term) => terms.has(term))),
      })
    }
  }
  return units
}

/** Characters that a name is looked for in, and of a block about a name that is not divided. */
const nameLength = 300
const namedLength = 1_000

/** It begins with a name of the query: an item with its subject, other text with one that is marked. */
function isNamedBlock(start: string, kind: Unit['kind'], names: ReadonlySet<string>): boolean {
  if (kind === 'row' || kind === 'code') return false
  const about = kind === 'item' ? subject.exec(start)?.[1] : undefined
  return [about, markedName.exec(start)?.[1]].some(
    (name) => name !== undefined && name.trim() !== '' && names.has(letters(name)),
  )
}

interface Block extends Pick<Unit, 'start' | 'end' | 'kind' | 'fence'> {}

/** Where the units of a block end: its rows, its sentences, lines of long code; long ones are cut. */
function endsIn(text: string, { start, end, kind }: Block): number[] {
  const length = end - start
  if (length <= (kind === 'code' ? maxUnitLength : kind === 'item' ? itemLength : 0)) return [end]
  const isLines = kind === 'row' || kind === 'code'
  const parts = isLines
    ? text.slice(start, end).match(/[^\n]*\n+|[^\n]+$/g)
    : text.slice(start, end).match(sentence)
  const ends: number[] = []
  let at = start
  for (const part of parts ?? []) {
    if (part === '') continue
    for (let cut = maxUnitLength; cut < part.length; cut += maxUnitLength) {
      const blank = text.lastIndexOf(' ', at + cut)
      const place = blank > at + cut - maxUnitLength / 2 ? blank + 1 : at + cut
      ends.push(place)
    }
    at += part.length
    ends.push(at)
  }
  // The header of a table and its delimiter are one unit.
  if (kind === 'row' && delimiter.test(text.slice(ends[0], ends[1]))) ends.shift()
  return ends
}

/** Paragraphs, items, tables and blocks of code, each with the blank lines after it. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  // A blank line ends a block, but not one of code.
  let isOpen = false
  let fence: Block['fence']
  for (const { 0: line, index: start } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const last = blocks.at(-1)
    const end = start + line.length
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? []
    const isBlank = line.trim() === ''
    const kind = kindOf(line)
    if (last && (fence || isBlank || (isOpen && !mark && isMore(kind, last.kind)))) {
      last.end = end
      if (fence && mark?.startsWith(fence.mark)) fence = undefined
      isOpen = !isBlank
    } else {
      if (mark) fence = { mark, line }
      blocks.push({ start, end, kind: fence ? 'code' : kind, fence })
      isOpen = fence !== undefined || !isBlank
    }
  }
  return blocks
}

const kindOf = (line: string): Unit['kind'] =>
  line.startsWith('|') ? 'row' : marker.test(line) ? 'item' : 'sentence'

/** A line of one kind goes on with a block of another: a row with rows, text with text or an item. */
const isMore = (kind: Unit['kind'], block: Unit['kind']): boolean =>
  kind === 'row'
    ? block === 'row'
    : kind === 'sentence' && (block === 'sentence' || block === 'item')
