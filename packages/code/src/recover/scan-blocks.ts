import type { Lexis } from '../languages/language.ts'
import { unitSize } from '../parse/parsed.ts'
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
import { scanTokens } from './scan-tokens.ts'

/** A function by its braces. Positions are UTF-16 offsets. */
export interface ScannedFunction {
  name: string
  nameAt: number
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
  parens: number
  fn: ScannedFunction | undefined
  /** The statement in it that has begun, as an index of units. */
  unit: number
  isDo: boolean
  header: Header
}

interface State {
  block: Block
  parens: number
  header: Header
  isAtStart: boolean
}

/**
 * Functions and statements by braces, comments and strings alone, for texts that a parser does not
 * understand. Of what `#if` chooses from, each text begins at the same depth, and what follows goes
 * on from the first. Linear in the length of the text.
 */
export function scanBlocks(text: string, lexis: Lexis): Scanned {
  const scanned: Scanned = { functions: [], closes: new Map(), units: [], leads: [] }
  let block: Block = file()
  let parens = 0
  let header = noHeader()
  let isAtStart = true
  let lastEnd = 0
  const conditions: { start: State; first?: State; isSkipped: boolean }[] = []
  let skipped = 0

  scanTokens(text, lexis, (kind, start, end) => {
    if (kind === 'directive') return onDirective(start, end)
    if (skipped > 0) return
    if (kind === 'comment') {
      if (block.kind === 'code' && parens === block.parens) scanned.leads.push(start, end)
      return
    }
    if (kind === 'word') onWord(start, end)
    else onSign(kind === 'sign' ? (text[start] as string) : '""', start, end)
    lastEnd = end
  })
  while (block.outer) close(text.length)
  return scanned

  function onWord(start: number, end: number): void {
    if (parens !== block.parens) return
    const word = text.slice(start, end)
    if (isAtStart && block.kind === 'code') begin(word, start, end)
    isAtStart = false
    addWord(header, word, start)
  }

  function onSign(sign: string, start: number, end: number): void {
    if (sign === '}') return close(end)
    const isFlat = parens === block.parens
    if (isFlat && isAtStart && block.kind === 'code' && sign !== ';') begin(sign, start, end)
    if (sign === '(' || sign === '[') parens++
    else if (sign === ')' || sign === ']') parens = Math.max(block.parens, parens - 1)
    else if (sign === '{') return open(start)
    else if (sign === ';' && isFlat) return endStatement(end)
    if (!isFlat && parens !== block.parens) return
    isAtStart = false
    addSign(header, sign, start)
    const isColon = sign === ':' && text[end] !== ':' && text[start - 1] !== ':'
    if (isColon && isLabel(header)) startAnew()
  }

  function begin(first: string, start: number, end: number): void {
    if (first === 'else' || first === 'catch' || (first === 'while' && block.isDo)) {
      block.isDo = false
      return
    }
    endUnit(lastEnd)
    block.unit = scanned.units.push(start, end, block.open) - unitSize
  }

  function endUnit(end: number): void {
    if (block.unit >= 0) scanned.units[block.unit + 1] = Math.max(end, scanned.units[block.unit + 1] ?? 0)
    block.unit = -1
  }

  function startAnew(): void {
    header = noHeader()
    isAtStart = true
  }

  function endStatement(end: number): void {
    lastEnd = end
    block.isDo = false
    startAnew()
  }

  function open(start: number): void {
    const { kind, name, nameAt = start } = readHeader(
      header,
      block.kind,
      parens !== block.parens,
      text,
    )
    const fn = name !== undefined && {
      name,
      nameAt,
      start: header.start < 0 ? start : header.start,
      body: start,
      end: -1,
    }
    if (fn) scanned.functions.push(fn)
    block = {
      outer: block,
      open: start,
      kind,
      parens,
      fn: fn || undefined,
      unit: -1,
      isDo: false,
      header,
    }
    startAnew()
  }

  function close(end: number): void {
    endUnit(lastEnd)
    const closed = block
    if (!closed.outer) return startAnew()
    if (!scanned.closes.has(closed.open)) scanned.closes.set(closed.open, end)
    if (closed.fn && closed.fn.end < 0) closed.fn.end = end
    block = closed.outer
    parens = closed.parens
    lastEnd = end
    if (closed.kind === 'data' || parens !== block.parens) {
      header = closed.header
      isAtStart = false
      return
    }
    block.isDo = closed.header.first === 'do'
    startAnew()
  }

  function onDirective(start: number, end: number): void {
    const [, word = '', rest = ''] = /^#\s*(\w+)\s*([^]*)$/.exec(text.slice(start, Math.min(end, start + 80))) ?? []
    if (word.startsWith('if')) {
      const isSkipped = skipped > 0 || (word === 'if' && /^0\s*(?:$|\/)/.test(rest))
      conditions.push({ start: state(), isSkipped })
      if (isSkipped) skipped++
    } else if (word.startsWith('el')) {
      const condition = conditions.at(-1)
      if (!condition) return
      if (condition.isSkipped) {
        // What `#if 0` leaves out is read as if it were not there.
        if (skipped === 1) {
          condition.isSkipped = false
          skipped = 0
        }
        return
      }
      condition.first ??= state()
      restore(condition.start)
    } else if (word === 'endif') {
      const condition = conditions.pop()
      if (condition?.isSkipped) skipped--
      else if (condition?.first) restore(condition.first)
    }
  }

  function state(): State {
    return { block, parens, header: copyHeader(header), isAtStart }
  }

  function restore(to: State): void {
    block = to.block
    parens = to.parens
    header = copyHeader(to.header)
    isAtStart = to.isAtStart
  }
}

const file = (): Block => ({
  outer: undefined,
  open: -1,
  kind: 'scope',
  parens: 0,
  fn: undefined,
  unit: -1,
  isDo: false,
  header: noHeader(),
})
