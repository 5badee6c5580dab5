import type { Counts } from '../../parts/counts.ts'
import { strings } from './signs.ts'

/** Of a string that a page defines, and of all uses of such strings. */
const maxString = 500
const maxExpanded = 2 ** 20
const maxDefinitions = 1_000
/** Unknown macros that are counted by name. */
const maxNamed = 8
/** Parentheses in an expression. */
const maxNesting = 10

/** A name after an escape: `(xx`, `[name]`, `x`. */
const nameOf = String.raw`(?:\((..)|\[([^\]]{0,60})\]|(.))`
const uses = new RegExp(
  String.raw`\\(?:\\|\*${nameOf}|n([+-]?)${nameOf}|w(?:'([^']{0,500})'))`,
  'g',
)
/** Units of a terminal of 24 units a character. */
const charUnits = 24

/** Strings and registers of a page, macros by their names, and the conditions of roff(7). */
export class Definitions {
  readonly macros: Map<string, readonly string[]> = new Map()
  readonly #strings = new Map(strings)
  readonly #registers = new Map([['.g', { value: 1, step: 0 }]])
  readonly #counts: Counts
  readonly #unknown = new Set<string>()
  #expanded = 0

  constructor(counts: Counts) {
    this.#counts = counts
  }

  /** What is not read is counted. */
  unread(kind: string): void {
    this.#counts.add(kind, 1)
  }

  /** A macro that is not known, by its name if there are few. */
  unknown(name: string): void {
    if (this.#unknown.size < maxNamed) this.#unknown.add(name)
    this.unread(this.#unknown.has(name) ? `call of the unknown macro .${name}` : 'unknown macro')
  }

  define(name: string, value: string): void {
    if (this.#strings.size < maxDefinitions) this.#strings.set(name, value.slice(0, maxString))
    else this.unread('string past the limit')
    if (value.length > maxString) this.unread('long string')
  }

  append(name: string, value: string): void {
    this.define(name, (this.#strings.get(name) ?? '') + value)
  }

  /** `+1` and `-1` change the register; an undefined one is 0. */
  setRegister(name: string, text: string, step = '0'): void {
    const old = /^[+-]/.test(text) ? (this.#registers.get(name)?.value ?? 0) : 0
    const { value } = new Expression(text)
    if (value === undefined || this.#registers.size > maxDefinitions)
      this.unread('number that cannot be computed')
    else this.#registers.set(name, { value: old + value, step: Number(step) || 0 })
  }

  /** With the values of strings and registers, and of widths. */
  interpolate(text: string): string {
    if (!text.includes('\\')) return text
    return text.replace(uses, (match, pair, long, sign, change, pair2, long2, sign2, width) => {
      if (match === '\\\\') return match
      if (width !== undefined) return String(width.length * charUnits)
      if (change === undefined) return this.#use(pair ?? long ?? sign)
      return this.#register(pair2 ?? long2 ?? sign2, change)
    })
  }

  /** Where a condition ends, and whether it is true; one that cannot be judged is, and is counted. */
  judge(text: string): { isTrue: boolean; end: number } {
    const [signs = ''] = /^[\s!]*/.exec(text) ?? []
    const rest = text.slice(signs.length)
    const { value, length } = this.#condition(rest)
    if (value === undefined) this.unread('condition that cannot be judged')
    const isNegated = signs.replace(/\s/g, '').length % 2 === 1
    return { isTrue: (value ?? !isNegated) !== isNegated, end: signs.length + length }
  }

  #condition(text: string): { value: boolean | undefined; length: number } {
    const [letter = ''] = text
    if (/[no]/.test(letter)) return { value: true, length: 1 }
    if (/[tev]/.test(letter)) return { value: false, length: 1 }
    if (/[cdrmFS]/.test(letter)) {
      const [match = '', name = ''] = /^.\s*(\S*)/s.exec(text) ?? []
      const isDefined = this.macros.has(name) || this.#strings.has(name)
      const known = { c: true, d: isDefined, r: this.#registers.has(name) }
      return { value: known[letter as 'c'] ?? false, length: match.length }
    }
    if (/[\d.(+|-]/.test(letter)) {
      const expression = new Expression(text)
      const { value } = expression
      return { value: value === undefined ? undefined : value > 0, length: expression.end }
    }
    const second = text.indexOf(letter, 1)
    const third = text.indexOf(letter, second + 1)
    if (letter === '' || letter === '\\' || second < 0 || third < 0)
      return { value: undefined, length: /^\S*/.exec(text)?.[0].length ?? 0 }
    return { value: text.slice(1, second) === text.slice(second + 1, third), length: third + 1 }
  }

  string(name: string): string | undefined {
    return this.#strings.get(name)
  }

  /** An undefined string is empty. */
  #use(name: string): string {
    const value = this.#strings.get(name)
    if (value === undefined) this.unread('undefined string')
    this.#expanded += value?.length ?? 0
    if (value !== undefined && this.#expanded <= maxExpanded) return value
    if (value !== undefined) this.unread('string past the limit')
    return ''
  }

  #register(name: string, change: string): string {
    const register = this.#registers.get(name)
    if (!register) return '0'
    if (change) register.value += change === '-' ? -register.step : register.step
    return String(register.value)
  }
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
  '<': (left, right) => Number(left < right),
  '>': (left, right) => Number(left > right),
  '=': (left, right) => Number(left === right),
  '==': (left, right) => Number(left === right),
  '<=': (left, right) => Number(left <= right),
  '>=': (left, right) => Number(left >= right),
  '<>': (left, right) => Number(left !== right),
  '&': (left, right) => Number(left > 0 && right > 0),
  ':': (left, right) => Number(left > 0 || right > 0),
}

/** An expression of numbers, from left to right as roff has it: units of measure are not applied. */
class Expression {
  /** Where it ends. */
  end = 0
  readonly value: number | undefined
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.value = this.#sum(0)
  }

  #sum(depth: number): number | undefined {
    let sum = this.#term(depth)
    for (;;) {
      const sign = this.#take(
        depth > 0 ? /\s*([<>=]=|<>|[-+*/%<>=&:])\s*/y : /([<>=]=|<>|[-+*/%<>=&:])/y,
      )
      const operation = operations[sign]
      if (sum === undefined || !operation) return sum
      const right = this.#term(depth)
      const result = right === undefined ? Number.NaN : operation(sum, right)
      sum = Number.isFinite(result) ? result : undefined
    }
  }

  #term(depth: number): number | undefined {
    const sign = this.#take(/([-+])/y)
    if (this.#take(/(\()\s*/y)) {
      const value = depth < maxNesting ? this.#sum(depth + 1) : undefined
      if (value === undefined || !this.#take(/\s*(\))/y)) return undefined
      return sign === '-' ? -value : value
    }
    const digits = this.#take(/\|?(\d*\.?\d+)[icpPvmnMusz]?/y)
    return digits === '' ? undefined : Number(digits) * (sign === '-' ? -1 : 1)
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.end
    const match = pattern.exec(this.#text)
    if (match) this.end = pattern.lastIndex
    return match?.[1] ?? ''
  }
}
