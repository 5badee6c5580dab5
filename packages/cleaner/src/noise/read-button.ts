import type { Element, ElementContent, Root } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { hasClass, stringProperty } from '../tree/properties.ts'
import { isBlank, isWord } from '../tree/short-text.ts'
import { isTag } from '../tree/tags.ts'
import { collapse, lineOf, textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { controlTexts, panelNames } from './noise-rules.ts'

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
    hasClass(button, controlClass) ||
    stringProperty(button, 'role') === 'tab'
  )
}

/**
 * Turn the buttons among the children of an element that belong to its text into text: words of a
 * sentence or title, and the heads of what opens below them. Others are noise.
 */
export function readButtons(parent: Root | Element, isInTitle: boolean): void {
  const children = parent.children as ElementContent[]
  if (!children.some(isButton)) return
  const isCell = parent.type === 'element' && isTextCell(parent)
  const firstWords = children.findIndex(isWords)
  const isInText = isInTitle || isCell || firstWords >= 0
  const lastText = children.findLastIndex((node) => node.type === 'text' && !isBlank(node))
  const isWholeTitle = (isInTitle || isElement(parent, 'summary')) && firstWords < 0
  parent.children = children.map((node, index) => {
    if (!isButton(node)) return node
    const child = isElement(node, 'input') ? worded(node) : node
    // Between words, the text goes on after the button.
    const isBetween = firstWords >= 0 && firstWords < index && index < lastText
    if (isControl(child) && !isWholeTitle && !isBetween) return child
    if (isInText) return { ...child, tagName: 'span', properties: {} }
    return isHead(child, openedBy(children, index), parent) ? headOf(child) : child
  })
}

/** A button of a form has its words in an attribute. */
const isButton = (node: ElementContent | undefined): node is Element =>
  isElement(node) &&
  (node.tagName === 'button' ||
    (node.tagName === 'input' && inputTypes.has(String(node.properties['type']))))
const inputTypes = wordsOf('button reset submit')
const worded = (input: Element): Element =>
  element('button', [textNode(stringProperty(input, 'value') ?? '')])
const isTextCell = isTag('summary td th')

/** What follows a button, up to the next one. */
function openedBy(children: readonly ElementContent[], index: number): ElementContent[] {
  const next = children.findIndex((node, at) => at > index && isButton(node))
  return children.slice(index + 1, next < 0 ? undefined : next)
}

/** Text, or an inline element with text that is no button. */
const isWords = (node: ElementContent): boolean =>
  (node.type === 'text' || (isElement(node) && isInline(node))) && isWord.test(textOf(node))
const isInline = isTag('a b code em i kbd label mark span strong var')

/** True for the words above, or next to, what a button opens. */
function isHead(
  button: Element,
  after: readonly ElementContent[],
  parent: Root | Element,
): boolean {
  const text = lineOf(button)
  if (!isWord.test(text) || parent.type !== 'element') return false
  if (operation.test(text)) return true
  const { ariaControls, ariaExpanded } = button.properties
  const opened = after.filter((node) => isElement(node))
  if (ariaControls !== undefined || ariaExpanded !== undefined)
    return !opened.some((node) => hasBelow(node, isTag('nav')))
  const isNamed = text.endsWith('?') || hasClass(button, panelNames) || hasClass(parent, panelNames)
  return isNamed && opened.some((node) => isWord.test(textOf(node)))
}

/** The words of a button, apart from each other as its boxes are. */
function headOf(button: Element): Element {
  const words: string[] = []
  collect(button)
  return element('p', [element('strong', [textNode(collapse(words.join(' ')))])])

  function collect(node: Element): void {
    for (const child of node.children)
      if (child.type === 'text') words.push(child.value)
      else if (child.type === 'element' && child.tagName !== 'svg') collect(child)
  }
}
