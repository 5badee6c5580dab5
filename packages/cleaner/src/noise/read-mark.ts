import type { Element } from 'hast'
import { mayBeFormula } from '../read/read-math.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { below, hasBelow } from '../tree/below.ts'
import { childOf } from '../tree/children.ts'
import { isElement, textNode } from '../tree/element.ts'
import { classesOf, hasClass, stringProperty } from '../tree/properties.ts'
import { isWord, shortText } from '../tree/short-text.ts'
import { textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import type { NoiseReason } from './noise-reason.ts'

/** Parts of class names of icons that answer yes or no. */
const marks: readonly (readonly [mark: string, names: RegExp])[] = [
  ['✓', /(?:^|[-_])(?:check(?:ed|mark)?|done|ok|success|supported|tick|true|yes)(?:$|[-_])/i],
  [
    '✗',
    /(?:^|[-_])(?:ban|cancel|close|cross|false|no|times|unchecked|unsupported|x|xmark)(?:$|[-_])/i,
  ],
]
/** Classes of text for screen readers. */
const unseen = /^(?:assistive-text|screen-reader-text|sr-only|visually-?hidden)$/i
/** In characters; a longer text is no name of an icon. */
const maxName = 60

/** A cell or item that has nothing but an icon says what the icon says; true if it does now. */
export function readMark(cell: Element, noiseReason: NoiseReason): boolean {
  const isContent: RuleTest = ({ tagName, properties }) =>
    contents.has(tagName) || (tagName === 'img' && properties['alt'] !== '')
  const isEmpty =
    childOf(cell) !== undefined && !keepsText(cell, noiseReason) && !hasBelow(cell, isContent)
  const mark = isEmpty ? markOf(cell) : undefined
  if (mark !== undefined) cell.children = [textNode(mark)]
  return mark !== undefined
}

/** Links of icons lead elsewhere, and inputs are tasks. */
const contents = wordsOf('a input math')

/** True if text of an element remains without its noise. */
export function keepsText({ children }: Element, noiseReason: NoiseReason): boolean {
  return children.some((child) =>
    child.type === 'element'
      ? mayBeFormula(child) || (noiseReason(child) === undefined && keepsText(child, noiseReason))
      : child.type === 'text' && isWord.test(child.value),
  )
}

/** The accessible name of an icon, however it is given, else ✓ or ✗ by its class. */
function markOf(cell: Element): string | undefined {
  let name: string | undefined
  let mark: string | undefined
  for (const part of below(cell)) {
    name ||= nameOf(part)
    for (const className of [...classesOf(part), symbolOf(part)])
      mark ??= marks.find(([, names]) => names.test(className))?.[0]
  }
  return name || mark
}

/** The name of the drawing that an icon uses, `#icon-check`; '' for any other element. */
function symbolOf(part: Element): string {
  if (part.tagName !== 'use') return ''
  const href = stringProperty(part, 'href') ?? stringProperty(part, 'xLinkHref')
  return href?.replace(/^.*#/, '') ?? ''
}

function nameOf(icon: Element): string | undefined {
  const stated =
    stringProperty(icon, 'ariaLabel') ||
    (icon.tagName === 'a' ? undefined : stringProperty(icon, 'title')) ||
    stringProperty(icon, 'dataTooltip')
  if (stated && stated.length <= maxName) return stated.trim()
  const title = isElement(icon, 'svg') && childOf(icon, 'title')
  if (title) return textOf(title).trim().slice(0, maxName)
  return hasClass(icon, unseen) ? shortText(icon, maxName) : undefined
}
