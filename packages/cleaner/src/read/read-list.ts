import type { Element, ElementContent } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { isElement } from '../tree/element.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { byWord } from '../tree/word-lists.ts'

const isList = isTag('dir menu ol ul')
const isItem = (node: ElementContent): boolean => isElement(node, 'li')

/** A child of a list, with the marker that a browser shows if it is an item: `2. `, `- b. `, `- `. */
export interface ListChild {
  node: ElementContent
  marker?: string
}

/** The items of a list, and what stands between them, in order. */
export function childrenOf(list: Element): ListChild[] {
  const children = list.children.flatMap((child) => unwrapped(child, 0))
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

function unwrapped(node: ElementContent, depth: number): ElementContent[] {
  // Lines of a text are items only by chance.
  if (!isElement(node) || isItem(node) || isList(node) || node.tagName === 'pre') return [node]
  const isGroup = hasBelow(node, isItem) && !elementsIn(node).every(isList)
  return isGroup && depth < maxWrappers
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
  return counters.get(name ?? classesOf(element).find((value) => counters.has(value)) ?? '')
}

/** 27 is `aa`; a number below 1 has no letters. */
function letters(number: number): string {
  if (number < 1) return String(number)
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

/** The digits of ones, tens, hundreds and thousands: one, five and ten. */
const romanDigits = ['ivx', 'xlc', 'cdm', 'm']
/** The places of the digits of 0 to 9. */
const romanForms = ['', '0', '00', '000', '01', '1', '10', '100', '1000', '02']

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number)
  const digits = String(number)
  return Array.from(digits, (digit, at) => {
    const signs = romanDigits[digits.length - at - 1] ?? ''
    return romanForms[Number(digit)]?.replace(/./g, (place) => signs.charAt(Number(place)))
  }).join('')
}

const upper =
  (counter: (number: number) => string): Counter =>
  (number) =>
    counter(number).toUpperCase()

/** By values of `type`, which are case-sensitive, and of `list-style-type`. */
const counters = byWord<Counter>([
  ['1 decimal', String],
  ['a lower-alpha lower-latin loweralpha', letters],
  ['A upper-alpha upper-latin upperalpha', upper(letters)],
  ['i lower-roman lowerroman', roman],
  ['I upper-roman upperroman', upper(roman)],
  ['circle disc none square', ''],
])
