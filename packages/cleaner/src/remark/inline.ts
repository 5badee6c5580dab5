import type { Element, ElementContent, Nodes } from 'hast'
import { addressOf, checkboxOf, emphasis, powerMarks, unseenTags } from '../read/read-inline.ts'
import { texOf } from '../read/read-math.ts'
import { alternativeOf } from '../tree/alternative.ts'
import { hasBelow } from '../tree/below.ts'
import { bracketReadings } from '../tree/boxes.ts'
import { element, isElement } from '../tree/element.ts'
import { codeTags } from '../tree/tags.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { type Context, text, trimEdges } from './context.ts'

/** Texts, and what `plain` makes of each element, from what is before it. */
export function plainNodes(
  nodes: readonly Nodes[],
  context: Context,
  render: typeof plainInlineElement,
): ElementContent[] {
  const out: ElementContent[] = []
  for (const node of nodes)
    if (node.type === 'text') out.push(text(node.value))
    else if (node.type === 'element') for (const part of render(node, context, out)) join(part, out)
  return out
}

/** Running text with links, emphasis, code and line breaks only. */
export const plainInline = (nodes: readonly Nodes[], context: Context): ElementContent[] =>
  plainNodes(nodes, context, plainInlineElement)

/** `before`: the preceding text of the paragraph. */
export function plainInlineElement(
  node: Element,
  context: Context,
  before: readonly ElementContent[],
): ElementContent[] {
  const tex = texOf(node)?.replace(/\s+/g, ' ').trim()
  if (tex) return [element('code', [text(tex)], { className: ['math-inline'] })]
  if (node.tagName === 'ruby') bracketReadings(node)
  const { tagName, children } = node
  const mark = emphasis.get(tagName)
  if (mark) return plainMark(mark, children, context)
  if (codeTags.has(tagName)) return plainCode(node)
  if (unseenTags.has(tagName)) return []
  switch (tagName) {
    case 'a':
      return plainLink(node, context)
    case 'br':
      return [element('br', [])]
    case 'img': {
      const alternative = alternativeOf(node)
      return alternative === undefined ? [] : [text(`![${alternative}]`)]
    }
    case 'input': {
      const checked = node.properties['checked'] === true
      return checkboxOf(node).map(() => element('input', [], { type: 'checkbox', checked }))
    }
    case 'q':
      return [text('"'), ...plainInline(children, context), text('"')]
    case 'sup': {
      const last = before.at(-1)
      const inner = plainInline(children, context)
      const marks = powerMarks(node, last ? textOf(last) : '')
      const [start, end] = marks.map((mark) => (mark ? [text(mark)] : []))
      return [...(start ?? []), ...inner, ...(end ?? [])]
    }
    default:
      return plainInline(children, context)
  }
}

function plainLink(link: Element, context: Context): ElementContent[] {
  const inner = plainInline(link.children, context)
  const address = context.links === 'text' ? undefined : addressOf(link, context.url)
  if (address === undefined || textOf(element('a', inner)).trim() === '') return inner
  return [element('a', inner, { href: address })]
}

function plainCode(node: Element): ElementContent[] {
  const value = collapse(textOf(node))
  if (value !== '') return [element('code', [text(value)])]
  return /\s/.test(textOf(node)) ? [text(' ')] : []
}

/** White space moves outside of emphasis; nested, empty and broken emphasis is dropped. */
function plainMark(
  tagName: string,
  children: readonly Nodes[],
  context: Context,
): ElementContent[] {
  const inner = plainInline(children, context).flatMap((child) => without(tagName, child))
  const content = textOf(element('span', inner))
  const only = inner.length === 1 ? inner[0] : undefined
  const isBroken = inner.some((child) => isElement(child, 'br'))
  if (content.trim() === '' || isBroken || isElement(only, 'code')) return inner
  const [before = ''] = /^\s*/.exec(content) ?? []
  const [after = ''] = /\s*$/.exec(content) ?? []
  trimEdges(inner)
  return [text(before), element(tagName, inner), text(after)].filter(
    (node) => node.type !== 'text' || node.value !== '',
  )
}

function without(tagName: string, node: ElementContent): ElementContent[] {
  if (node.type !== 'element') return [node]
  if (node.tagName === tagName) return node.children.flatMap((child) => without(tagName, child))
  if (hasBelow(node, (child) => child.tagName === tagName))
    node.children = node.children.flatMap((child) => without(tagName, child))
  return [node]
}

/** Adjacent code elements are merged; emphasis elements are kept apart. */
function join(node: ElementContent, out: ElementContent[]): void {
  const last = out.at(-1)
  if (isElement(node, 'code') && isElement(last, 'code') && isPlain(node) && isPlain(last))
    out[out.length - 1] = element('code', [text(textOf(last) + textOf(node))])
  else if (isElement(node) && isElement(last) && marks.has(node.tagName) && marks.has(last.tagName))
    out.push(...node.children)
  else out.push(node)
}

const marks = new Set(['strong', 'em', 'del'])
const isPlain = ({ properties }: Element): boolean => properties['className'] === undefined
