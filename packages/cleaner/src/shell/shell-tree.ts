import type { Element, ElementContent, Root } from 'hast'
import { closeRawText } from '../parse/close-raw-text.ts'
import { openShadowRoots } from '../parse/open-shadow-roots.ts'
import { parseWithParse5 } from '../parse/parse-with-parse5.ts'
import { limitDepth } from '../parse/rehype-limit-depth.ts'
import { type ParseOptions, toHtml } from '../parse/rehype-parse5.ts'
import { createTimeCheck } from '../time-check.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { element, textNode } from '../tree/element.ts'
import { stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { byWord } from '../tree/word-lists.ts'
import { isText } from './text-of-page.ts'

/** The tree of a document with the content of its templates. */
export function shellTree(html: string, options: ParseOptions): Root {
  const { maxDepth = 512, maxElements = 500_000, maxTime } = options
  const root = parseWithParse5(
    closeRawText(toHtml(html)),
    { maxElements, checkTime: createTimeCheck(maxTime) },
    true,
  )
  limitDepth(root, maxDepth)
  openShadowRoots(root)
  limitDepth(root, maxDepth)
  return root
}

/** Places of text for readers without scripts, frames or plug-ins, and how it is read. */
const places = byWord<(place: Element) => ElementContent[]>([
  ['noscript template object canvas video audio', ({ children }) => children],
  ['iframe', (place) => parsed(stringProperty(place, 'srcDoc') ?? textOf(place))],
  ['noembed noframes', (place) => parsed(textOf(place))],
])

/**
 * Show the text of such places where they are, with `isAlone` instead of the rest of the body; the
 * names of those that have some.
 */
export function openPlaces(root: Root, isAlone: boolean): string[] {
  const names = new Set<string>()
  const opened: Element[] = []
  open(root, false)
  const html = childOf(root, 'html')
  const body = html && elementsIn(html).find(isTag('body frameset'))
  if (body && opened.length > 0) {
    // The text of a page of frames is in place of its body.
    body.tagName = 'body'
    if (isAlone) body.children = opened
  }
  return [...names]

  function open(node: Root | Element, isInside: boolean): void {
    for (const child of elementsIn(node)) {
      const { tagName } = child
      const content = places.get(tagName)?.(child)
      const isOpen = content !== undefined && isText(textOf(element('div', content)))
      if (isOpen) {
        names.add(tagName)
        Object.assign(child, element('div', content))
        if (!isInside) opened.push(child)
      }
      if (tagName !== 'template' || isOpen) open(child, isInside || isOpen)
    }
  }
}

/** The elements of a text of HTML. */
function parsed(text: string): ElementContent[] {
  if (!/<[a-z]/i.test(text)) return [textNode(text)]
  const bounds = { maxElements: 50_000, checkTime: () => {} }
  const root = parseWithParse5(text, bounds)
  limitDepth(root, 256)
  return childOf(childOf(root, 'html'), 'body')?.children ?? []
}
