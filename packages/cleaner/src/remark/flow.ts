import type { Element, ElementContent, Nodes } from 'hast'
import { admonitionKind, readAdmonition } from '../read/read-admonition.ts'
import { isCodeBlock, languageOf, readCode } from '../read/read-code.ts'
import { isDisplayMath, texOf } from '../read/read-math.ts'
import { hasBelow } from '../tree/below.ts'
import { element, isElement } from '../tree/element.ts'
import { isBlank } from '../tree/short-text.ts'
import { isBlock, isHeading, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { type Context, text } from './context.ts'
import { plainDefinitions, prepend } from './definitions.ts'
import { plainInlineElement, plainNodes } from './inline.ts'
import { plainTable } from './table.ts'

/** Flow content; running text between blocks is not wrapped in a paragraph. */
export const plainFlow = (nodes: readonly Nodes[], context: Context): ElementContent[] =>
  plainNodes(nodes, context, plainElement)

function plainElement(
  node: Element,
  context: Context,
  before: readonly ElementContent[],
): ElementContent[] {
  const { tagName } = node
  if (isHeading(node)) return plainHeading(node)
  if (tagName === 'blockquote') return plainQuote(plainFlow(node.children, context))
  if (tagName === 'dl') return plainDefinitions(node, context)
  if (tagName === 'table') return plainTable(node, context)
  if (isListTag(node)) return plainList(node, context)
  if (isDisplayMath(node))
    return [element('pre', [codeOf(texOf(node)?.trim() ?? '', ['math-display'])])]
  if (isCodeBlock(node)) return plainCodeBlock(node, context)
  if (admonitionKind(node)) return plainAdmonition(node, context)
  const isHolder = context.blockHolders.has(node)
  if (tagName === 'summary' && !isHolder) return plainSummary(node)
  if (!isHolder && !isBlock(node)) return plainInlineElement(node, context, before)
  const language = languageOf(node) ?? context.language
  const inner = plainFlow(node.children, { ...context, language })
  // Without a doctype, a table is a part of the paragraph before it.
  const isParagraph = tagName === 'p' && !inner.some((child) => isElement(child) && isBlock(child))
  return [element(isParagraph ? 'p' : 'div', inner)]
}

const isListTag = isTag('ul ol menu dir')

function plainHeading({ tagName, properties, children }: Element): ElementContent[] {
  const title = lineOf(element(tagName, children))
  const { id } = properties
  return title === '' ? [] : [element(tagName, [text(title)], id === undefined ? {} : { id })]
}

function plainSummary(summary: Element): ElementContent[] {
  const title = lineOf(summary)
  return title === '' ? [] : [element('p', [element('strong', [text(title)])])]
}

function plainCodeBlock(node: Element, context: Context): ElementContent[] {
  const code = readCode(node, context.language)
  if (!code) return []
  return [element('pre', [codeOf(code.value, code.language ? [`language-${code.language}`] : [])])]
}

const codeOf = (value: string, className: string[]): Element =>
  element('code', [text(`${value}\n`)], className.length > 0 ? { className } : {})

function plainAdmonition(node: Element, context: Context): ElementContent[] {
  const { label, content } = readAdmonition(node)
  const box = element('div', plainFlow(content, context))
  if (label !== '' && !prepend([element('strong', [text(`${label}:`)]), text(' ')], box))
    box.children.unshift(element('p', [element('strong', [text(label)])]))
  return plainQuote(box.children)
}

/** Headings are not quoted; docutils writes an indented list as a block quotation. */
function plainQuote(inner: ElementContent[]): ElementContent[] {
  if (hasHeadings(inner) || blocksOf(inner).every(isList)) return inner
  return [element('blockquote', inner)]
}

const blocksOf = (nodes: readonly ElementContent[]): ElementContent[] =>
  nodes.flatMap((node) => {
    if (node.type === 'text') return isBlank(node) ? [] : [node]
    return isElement(node, 'div') ? blocksOf(node.children) : [node]
  })

const isList = (node: ElementContent): boolean => isElement(node, 'ul') || isElement(node, 'ol')

const hasHeadings = (nodes: readonly ElementContent[]): boolean =>
  hasBelow(element('div', [...nodes]), (node) => isHeading(node) || node.data?.isTerm === true)

/** A list of cards or sections is layout: its headings matter more than its bullets. */
function plainList(list: Element, context: Context): ElementContent[] {
  const tagName = list.tagName === 'ol' ? 'ol' : 'ul'
  const { start } = list.properties
  const out: ElementContent[] = []
  for (const child of list.children) {
    if (child.type === 'text' && isBlank(child)) continue
    const content = plainFlow(isElement(child, 'li') ? child.children : [child], context)
    if (hasHeadings(content)) out.push(...content)
    else {
      const last = out.at(-1)
      const item = element('li', content)
      if (isElement(last, tagName)) last.children.push(item)
      else out.push(element(tagName, [item], start === undefined ? {} : { start }))
    }
  }
  return out
}
