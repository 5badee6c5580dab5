import type { Element } from 'hast'
import { elementsIn } from '../tree/children.ts'
import { isElement } from '../tree/element.ts'
import { hasClass, stringProperty } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { isTag } from '../tree/tags.ts'

/** Share of the lines of code that must have a number, and of the numbers that must follow. */
export const minNumbered = 0.9

const number = /^\s*(\d{1,6})[.:|]?\s*$/
/** By parts of class names. */
const gutterClass =
  /(?:^|[-_])(?:gutter|ln|lno|lineno|line-?num(?:ber)?s?|linenumber|lnum|num|select-none|unselectable|user-select-none)(?:$|[-_])/i
/** Highlighters name the numbers of the code itself. */
const literalClass = /^(?:m[a-z]?|il|l[if]|token|(?:hljs|pl|cm|tok|syntax)-\w+)$/

/** The numbers of lines in a block of code, which a page shows next to it. */
export function lineNumbersIn(code: Element): ReadonlySet<Element> {
  const numbers = new Map<Element, number>()
  search(code)
  return new Set(areConsecutive([...numbers.values()]) ? numbers.keys() : [])

  function search(row: Element): void {
    for (const child of elementsIn(row)) {
      const value = numberOf(child)
      if (value === undefined || !isApart(child, row)) search(child)
      else numbers.set(child, value)
    }
  }
}

/** True if nearly each number is one more than that before it. */
export function areConsecutive(numbers: readonly number[]): boolean {
  const following = numbers.filter((value, at) => at > 0 && value === (numbers[at - 1] ?? 0) + 1)
  return following.length >= (numbers.length - 1) * minNumbered
}

function numberOf({ children }: Element): number | undefined {
  const [text] = children
  if (children.length !== 1 || !text) return undefined
  if (text.type === 'element') return numberOf(text)
  // Most words of code are short, and no numbers.
  if (text.type !== 'text' || text.value.length > 12 || text.value.charCodeAt(0) > 57)
    return undefined
  const [, digits] = number.exec(text.value) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Styled as no part of the code, or the first of two boxes in a row. */
const isApart = (element: Element, row: Element): boolean =>
  isGutter(element) || (!hasClass(element, literalClass) && isFirstBox(element, row))

/** True for an element that a page shows as no part of the code. */
export function isGutter(element: Element): boolean {
  const { properties } = element
  return (
    /user-select:\s*none/i.test(stringProperty(element, 'style') ?? '') ||
    properties['ariaHidden'] === 'true' ||
    properties['unselectable'] === 'on' ||
    Object.keys(properties).some((name) => /^data(?:Line|Ln)/.test(name)) ||
    hasClass(element, gutterClass)
  )
}

const isRow = isTag('div li p tr')

function isFirstBox(element: Element, row: Element): boolean {
  if (!isRow(row)) return false
  const boxes = row.children.filter((child) => child.type !== 'text' || !isBlank(child))
  return (
    boxes.length === 2 &&
    boxes[0] === element &&
    isElement(boxes[1]) &&
    !/(?:^|;)\s*color:/i.test(stringProperty(element, 'style') ?? '')
  )
}
