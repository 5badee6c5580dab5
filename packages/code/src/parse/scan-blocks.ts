import type { Lexis } from '../languages/language.ts'
import { createConditions } from './conditions.ts'
import {
  addSign,
  addWord,
  type BlockKind,
  copyHeader,
  type Header,
  isLabel,
  noHeader,
  readHeader,
} from './header.ts'
import { unitSize } from './parsed.ts'
import { scanTokens } from './scan-tokens.ts'

/** A function by its braces. Positions are UTF-16 offsets. */
interface ScannedFunction {
  name: string
  start: number
  /** Of its opening brace. */
  body: number
  end: number
}

export interface Scanned {
  functions: ScannedFunction[]
  /** Behind the brace that closes one, by where that one stands. */
  closes: Map<number, number>
  /** As of a parsed text. */
  units: number[]
  leads: number[]
}

interface Block {
  outer: Block | undefined
  open: number
  kind: BlockKind
  /** Open parentheses around it. */
  parens: number
  fn: ScannedFunction | undefined
  /** The statement in it that has begun, as an index of units, or -1. */
  unit: number
  /** A `while` that follows belongs to what went before. */
  isDo: boolean
  /** What stood before it. */
  header: Header
}

/** Where the scanner is. */
interface Place {
  block: Block
  parens: number
  header: Header
  isAtStart: boolean
}

const outermost = (): Block => ({
  outer: undefined,
  open: -1,
  kind: 'scope',
  parens: 0,
  fn: undefined,
  unit: -1,
  isDo: false,
  header: noHeader(),
})

/**
 * Functions and statements by braces, comments and strings alone, for texts that a parser does not
 * understand. Linear in the length of the text.
 */
export function scanBlocks(text: string, lexis: Lexis): Scanned {
  const scanned: Scanned = { functions: [], closes: new Map(), units: [], leads: [] }
  let at: Place = { block: outermost(), parens: 0, header: noHeader(), isAtStart: true }
  let lastEnd = 0
  const copy = (place: Place): Place => ({ ...place, header: copyHeader(place.header) })
  const conditions = createConditions(
    () => copy(at),
    (place) => {
      at = copy(place)
    },
  )

  scanTokens(text, lexis, (kind, start, end) => {
    if (kind === 'directive') conditions.take(text.slice(start, Math.min(end, start + 80)))
    else if (conditions.isSkipping) return
    else if (kind === 'comment') {
      if (at.block.kind === 'code' && isFlat()) scanned.leads.push(start, end)
    } else {
      if (kind === 'word') onWord(start, end)
      else onSign(kind === 'sign' ? (text[start] as string) : '""', start, end)
      lastEnd = end
    }
  })
  while (at.block.outer) close(text.length)
  return scanned

  function isFlat(): boolean {
    return at.parens === at.block.parens
  }

  function onWord(start: number, end: number): void {
    if (!isFlat()) return
    const word = text.slice(start, end)
    if (at.isAtStart) begin(word, start, end)
    at.isAtStart = false
    addWord(at.header, word, start)
  }

  function onSign(sign: string, start: number, end: number): void {
    const wasFlat = isFlat()
    if (wasFlat && at.isAtStart && sign !== ';' && sign !== '}') begin(sign, start, end)
    if (sign === '}') close(end)
    else if (sign === '{') open(start)
    else if (sign === ';' && wasFlat) endStatement()
    else {
      if (sign === '(' || sign === '[') at.parens++
      else if (sign === ')' || sign === ']') at.parens = Math.max(at.block.parens, at.parens - 1)
      if (wasFlat || isFlat()) onFlatSign(sign, start, end)
    }
  }

  function onFlatSign(sign: string, start: number, end: number): void {
    at.isAtStart = false
    addSign(at.header, sign, start)
    const isColon = sign === ':' && text[end] !== ':' && text[start - 1] !== ':'
    if (isColon && isLabel(at.header)) startAnew()
  }

  function begin(first: string, start: number, end: number): void {
    const { block } = at
    if (block.kind !== 'code') return
    const goesOn = first === 'else' || first === 'catch' || (first === 'while' && block.isDo)
    block.isDo = false
    if (goesOn) return
    endUnit(block)
    block.unit = scanned.units.push(start, end, block.open) - unitSize
  }

  function endUnit(block: Block): void {
    if (block.unit >= 0)
      scanned.units[block.unit + 1] = Math.max(lastEnd, scanned.units[block.unit + 1] as number)
    block.unit = -1
  }

  function startAnew(): void {
    at.header = noHeader()
    at.isAtStart = true
  }

  function endStatement(): void {
    at.block.isDo = false
    startAnew()
  }

  function open(start: number): void {
    const { block, parens, header } = at
    const { kind, name } = readHeader(header, block.kind, !isFlat(), text)
    const begins = header.start < 0 ? start : header.start
    const fn = name === undefined ? undefined : { name, start: begins, body: start, end: -1 }
    if (fn) scanned.functions.push(fn)
    at.block = { outer: block, open: start, kind, parens, fn, unit: -1, isDo: false, header }
    startAnew()
  }

  function close(end: number): void {
    const { block } = at
    endUnit(block)
    lastEnd = end
    if (!block.outer) {
      startAnew()
      return
    }
    if (!scanned.closes.has(block.open)) scanned.closes.set(block.open, end)
    if (block.fn && block.fn.end < 0) block.fn.end = end
    at.block = block.outer
    at.parens = block.parens
    if (block.kind === 'data' || !isFlat()) {
      // The value of something, which goes on.
      at.header = block.header
      at.isAtStart = false
    } else {
      at.block.isDo = block.header.first === 'do'
      startAnew()
    }
  }
}
