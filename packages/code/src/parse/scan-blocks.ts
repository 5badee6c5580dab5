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

/** A function found by its braces. Positions are UTF-16 offsets. */
interface ScannedFunction {
  name: string
  start: number
  /** Offset of its opening brace. */
  body: number
  end: number
}

export interface Scanned {
  functions: ScannedFunction[]
  /** Maps an opening brace to the offset after the closing one. */
  closes: Map<number, number>
  /** As in a parsed text. */
  units: number[]
  leads: number[]
}

interface Block {
  outer: Block | undefined
  open: number
  kind: BlockKind
  /** Number of open parentheses around it. */
  parens: number
  fn: ScannedFunction | undefined
  /** Index in `units` of the open statement, or -1. */
  unit: number
  /** True after `do`: a following `while` belongs to it. */
  isDo: boolean
  /** The tokens before it. */
  header: Header
}

/** State of the scanner. */
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
 * Find functions and statements by braces, comments and strings alone, for texts with syntax
 * errors. Linear in the length of the text.
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

  function onSign(char: string, start: number, end: number): void {
    const wasFlat = isFlat()
    if (wasFlat && at.isAtStart && char !== ';' && char !== '}') begin(char, start, end)
    if (char === '}') close(end)
    else if (char === '{') open(start)
    else if (char === ';' && wasFlat) endStatement()
    else {
      if (char === '(' || char === '[') at.parens++
      else if (char === ')' || char === ']') at.parens = Math.max(at.block.parens, at.parens - 1)
      if (wasFlat || isFlat()) onFlatSign(char, start, end)
    }
  }

  function onFlatSign(char: string, start: number, end: number): void {
    at.isAtStart = false
    addSign(at.header, char, start)
    const isColon = char === ':' && text[end] !== ':' && text[start - 1] !== ':'
    if (isColon && isLabel(at.header)) restart()
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

  function restart(): void {
    at.header = noHeader()
    at.isAtStart = true
  }

  function endStatement(): void {
    at.block.isDo = false
    restart()
  }

  function open(start: number): void {
    const { block, parens, header } = at
    const { kind, name } = readHeader(header, block.kind, !isFlat(), text)
    const begins = header.start < 0 ? start : header.start
    const fn = name === undefined ? undefined : { name, start: begins, body: start, end: -1 }
    if (fn) scanned.functions.push(fn)
    at.block = { outer: block, open: start, kind, parens, fn, unit: -1, isDo: false, header }
    restart()
  }

  function close(end: number): void {
    const { block } = at
    endUnit(block)
    lastEnd = end
    if (!block.outer) {
      restart()
      return
    }
    if (!scanned.closes.has(block.open)) scanned.closes.set(block.open, end)
    if (block.fn && block.fn.end < 0) block.fn.end = end
    at.block = block.outer
    at.parens = block.parens
    if (block.kind === 'data' || !isFlat()) {
      // The block is a value, and its statement continues.
      at.header = block.header
      at.isAtStart = false
    } else {
      at.block.isDo = block.header.first === 'do'
      restart()
    }
  }
}
