import type { Element, ElementContent, Root } from 'hast'
import { classesOf } from '../tree/classes.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { collapse, lineOf, textOf } from '../tree/text-of.ts'
import { controlTexts, panelNames } from './noise-rules.ts'

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
  if (!children.some(isButton)) return
  const isCell = parent.type === 'element' && cells.has(parent.tagName)
  const isInText = isInTitle || isCell || children.some(isWords)
  const isTitle = isInTitle || (parent.type === 'element' && parent.tagName === 'summary')
  const firstWords = children.findIndex(isWords)
  const lastText = children.findLastIndex((node) => node.type === 'text' && /\S/.test(node.value))
  const isWholeTitle = isTitle && !children.some(isWords)
  parent.children = children.map((node, index) => {
    if (!isButton(node)) return node
    const child = isElement(node, 'input') ? worded(node) : node
    // Between words, the text goes on after the button.
    if (
      isControl(child) &&
      !isWholeTitle &&
      !(firstWords >= 0 && firstWords < index && index < lastText)
    )
      return child
    if (isInText) return { ...child, tagName: 'span', properties: {} }
    return isHead(child, openedBy(children, index), parent) ? headOf(child) : child
  })
}

/** A button of a form has its words in an attribute. */
const isButton = (node: ElementContent | undefined): node is Element =>
  isElement(node) &&
  (node.tagName === 'button' ||
    (node.tagName === 'input' && inputTypes.has(String(node.properties['type']))))
const inputTypes = new Set(['button', 'reset', 'submit'])
const worded = (input: Element): Element =>
  element('button', [textNode(stringProperty(input, 'value') ?? '')])
const cells = new Set(['summary', 'td', 'th'])

/** What follows a button, up to the next one. */
function openedBy(children: readonly ElementContent[], index: number): ElementContent[] {
  const nodes: ElementContent[] = []
  for (let at = index + 1; at < children.length && !isButton(children[at]); at++)
    nodes.push(children[at] as ElementContent)
  return nodes
}

/** Text, or an inline element with text that is no button. */
const isWords = (node: ElementContent): boolean =>
  node.type === 'text'
    ? isVisible.test(node.value)
    : node.type === 'element' && inlineTags.has(node.tagName) && isVisible.test(textOf(node))

const inlineTags = new Set('a b code em i kbd label mark span strong var'.split(' '))

/** True for the words above, or next to, what a button opens. */
function isHead(
  button: Element,
  after: readonly ElementContent[],
  parent: Root | Element,
): boolean {
  const text = lineOf(button)
  if (!isVisible.test(text) || parent.type !== 'element') return false
  if (operation.test(text)) return true
  const { ariaControls, ariaExpanded } = button.properties
  if (ariaControls !== undefined || ariaExpanded !== undefined) return !after.some(holdsMenu)
  const names = [...classesOf(button), ...classesOf(parent)]
  const isNamed = text.endsWith('?') || names.some((name) => panelNames.test(name))
  return isNamed && after.some((node) => isElement(node) && isVisible.test(textOf(node)))
}

const holdsMenu = (node: ElementContent): boolean =>
  isElement(node) && hasBelow(node, ({ tagName }) => tagName === 'nav')

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
