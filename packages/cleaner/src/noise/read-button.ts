import type { Element, ElementContent, Root } from 'hast'
import { element, textNode } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf, isElement, stringProperty } from '../tree/properties.ts'
import { collapse, lineOf, textOf } from '../tree/text-of.ts'
import { controlTexts } from './noise-rules.ts'

const isVisible = /[\p{L}\p{N}]/u
/** Methods of HTTP: a button that begins with one is the head of an operation. */
const operation = /^(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|QUERY|TRACE)\b/
const controlClass = /(?:^|[-_])(?:clipboard|close|copy|dropdown|toggler)(?:$|[-_])/i
/** In characters; a longer text is no name of an action. */
const maxControl = 60

/** True for a button that acts on the page instead of being part of its text. */
function isControl(button: Element): boolean {
  const text = lineOf(button)
  return (
    (text.length <= maxControl && controlTexts.test(text)) ||
    classesOf(button).some((name) => controlClass.test(name)) ||
    stringProperty(button, 'role') === 'tab'
  )
}

/**
 * Turn the buttons among the children of an element that belong to its text into text: words of a
 * sentence or title, and the heads of what opens below them. Others are noise.
 */
export function readButtons(parent: Root | Element, isInTitle: boolean): void {
  const children = parent.children as ElementContent[]
  if (!children.some((child) => isElement(child, 'button'))) return
  const isInText = isInTitle || children.some(isWords)
  parent.children = children.map((child, index) => {
    if (!isElement(child, 'button')) return child
    if (isControl(child) && !isInSentence(children, index)) return child
    if (isInText) return { ...child, tagName: 'span', properties: {} }
    return isHead(child, children.slice(index + 1), parent) ? headOf(child) : child
  })
}

/** True between words: the text goes on after the button. */
const isInSentence = (children: readonly ElementContent[], index: number): boolean =>
  children.slice(0, index).some(isWords) &&
  children.slice(index + 1).some((node) => node.type === 'text' && /\S/.test(node.value))

/** Text, or an inline element with text that is no button. */
const isWords = (node: ElementContent): boolean =>
  node.type === 'text'
    ? isVisible.test(node.value)
    : node.type === 'element' && inlineTags.has(node.tagName) && isVisible.test(textOf(node))

const inlineTags = new Set('a b code em i kbd label mark span strong var'.split(' '))

/** True for the only words above, or next to, what a button opens. */
function isHead(
  button: Element,
  after: readonly ElementContent[],
  parent: Root | Element,
): boolean {
  if (!isVisible.test(textOf(button))) return false
  if (operation.test(lineOf(button))) return true
  if (
    button.properties['ariaExpanded'] === undefined &&
    button.properties['ariaControls'] === undefined
  )
    return false
  const isAlone = after.every((node) => node.type !== 'element' || !hasBelow(node, isList))
  return isAlone && parent.type === 'element'
}

const isList = ({ tagName }: Element): boolean => tagName === 'nav'

/** The words of a button, apart from each other as its boxes are. */
function headOf(button: Element): Element {
  const words: string[] = []
  collect(button)
  return element('p', [element('strong', [textNode(collapse(words.join(' ')))])])

  function collect(node: Element): void {
    for (const child of node.children) {
      if (child.type === 'text') words.push(child.value)
      else if (child.type === 'element' && child.tagName !== 'svg') collect(child)
    }
  }
}
