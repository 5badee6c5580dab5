import type { Element, ElementContent } from 'hast'
import { classesOf } from '../tree/classes.ts'
import { isElement } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'

const lists = new Set(['dir', 'menu', 'ol', 'ul'])
/** Lists, and text whose lines are items only by chance. */
const whole = new Set([...lists, 'pre'])
const isItem = (node: ElementContent): boolean => isElement(node, 'li')

/** A child of a list, with the marker that a browser shows if it is an item: `2. `, `- b. `, `- `. */
export interface ListChild {
  node: ElementContent
  marker?: string
}

/** The items of a list, and what stands between them, in order. */
export function childrenOf(list: Element): ListChild[] {
  const children = list.children.flatMap((child) => unwrapped(child))
  const isReversed = list.properties['reversed'] === true
  let number = integerOf(list, 'start') ?? (isReversed ? children.filter(isItem).length : 1)
  return children.map((node) => {
    if (!isElement(node, 'li')) return { node }
    number = integerOf(node, 'value') ?? number
    const counter = counterOf(node) ?? counterOf(list) ?? (list.tagName === 'ol' ? String : '')
    const marker = counter === '' ? '- ' : markerOf(counter(number))
    number += isReversed ? -1 : 1
    return { node, marker }
  })
}

/** Markdown numbers items by digits only; other counters follow a bullet. */
const markerOf = (count: string): string => (/^\d+$/.test(count) ? `${count}. ` : `- ${count}. `)

/** Some sites group items in elements that no list may contain. */
const maxWrappers = 3

function unwrapped(node: ElementContent, depth = 0): ElementContent[] {
  if (!isElement(node) || isItem(node) || whole.has(node.tagName) || depth === maxWrappers)
    return [node]
  const holdsItems = hasBelow(node, (child) => child.tagName === 'li')
  return holdsItems && node.children.some((child) => isElement(child) && !lists.has(child.tagName))
    ? node.children.flatMap((child) => unwrapped(child, depth + 1))
    : [node]
}

/** As HTML reads it: digits after white space and a sign; at most nine, as in Markdown. */
function integerOf(element: Element, name: string): number | undefined {
  const [digits] = /^\s*[-+]?\d{1,9}(?!\d)/.exec(stringProperty(element, name) ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The marker of a number; '' for a bullet. */
type Counter = ((number: number) => string) | ''

function counterOf(element: Element): Counter | undefined {
  const style = stringProperty(element, 'style')
  const [, values = ''] = (style && /list-style(?:-type)?:([^;]*)/i.exec(style)) || []
  const styled = values.split(/\s+/).find((value) => counters.has(value))
  const name = styled ?? stringProperty(element, 'type')
  // Docutils and Asciidoctor name the style as a class.
  return name === undefined
    ? counters.get(classesOf(element).find((value) => counters.has(value)) ?? '')
    : counters.get(name)
}

/** 27 is `aa`; a number below 1 has no letters. */
function letters(number: number): string {
  if (number < 1) return String(number)
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

const romanDigits = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
})

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  let rest = number
  return romanDigits
    .map(([digit, value]) => {
      const count = Math.floor(rest / value)
      rest %= value
      return digit.repeat(count)
    })
    .join('')
}

const upper =
  (counter: (number: number) => string): Counter =>
  (number) =>
    counter(number).toUpperCase()

/** By values of `type`, which are case-sensitive, and of `list-style-type`. */
const counters: ReadonlyMap<string, Counter> = new Map<string, Counter>([
  ...['1', 'decimal'].map((name) => [name, String] as const),
  ...['a', 'lower-alpha', 'lower-latin', 'loweralpha'].map((name) => [name, letters] as const),
  ...['A', 'upper-alpha', 'upper-latin', 'upperalpha'].map(
    (name) => [name, upper(letters)] as const,
  ),
  ...['i', 'lower-roman', 'lowerroman'].map((name) => [name, roman] as const),
  ...['I', 'upper-roman', 'upperroman'].map((name) => [name, upper(roman)] as const),
  ...['circle', 'disc', 'none', 'square'].map((name) => [name, ''] as const),
])
