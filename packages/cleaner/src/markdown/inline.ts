import type { Element, ElementContent, Nodes, Text } from 'hast'
import { addressOf, alternativeOf, isPower } from '../read/read-inline.ts'
import { isElement } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { escapeText } from './escape-text.ts'
import { longestBackticks } from './longest-backticks.ts'
import { inlineTex } from './math.ts'
import { referenceNumber } from './references.ts'
import type { Settings } from './state.ts'
import { hardBreak } from './tidy-inline.ts'

type InlineHandler = (element: Element, out: string[], settings: Settings) => void

/** Write running text as Markdown; `tidyInline` makes a paragraph of the pieces. */
export function writeInline(nodes: readonly Nodes[], out: string[], settings: Settings): void {
  for (const node of nodes) {
    if (node.type === 'text') writeText(node, out)
    else if (node.type === 'element') writeInlineElement(node, out, settings)
  }
}

export function writeText({ value }: Text, out: string[]): void {
  out.push(escapeText(value.includes(hardBreak) ? value.replaceAll(hardBreak, '') : value))
}

export function writeInlineElement(element: Element, out: string[], settings: Settings): void {
  const tex = inlineTex(element)
  if (tex) {
    out.push(tex)
    return
  }
  const handle = handlers.get(element.tagName)
  if (handle) handle(element, out, settings)
  else writeInline(element.children, out, settings)
}

const handlers: ReadonlyMap<string, InlineHandler> = new Map<string, InlineHandler>(
  Object.entries({
    a: writeLink,
    b: (element, out, settings) => surround('**', element, out, settings),
    br: (_element, out) => void out.push(hardBreak),
    code: writeCode,
    del: (element, out, settings) => surround('~~', element, out, settings),
    em: (element, out, settings) => surround('*', element, out, settings),
    i: (element, out, settings) => surround('*', element, out, settings),
    img: writeAlternative,
    kbd: writeCode,
    s: (element, out, settings) => surround('~~', element, out, settings),
    samp: writeCode,
    strong: (element, out, settings) => surround('**', element, out, settings),
    sup: writeSuperscript,
    tt: writeCode,
  }),
)

/** A power is not a factor: `2^64`. */
function writeSuperscript(element: Element, out: string[], settings: Settings): void {
  if (isPower(element, out.at(-1) ?? '')) out.push('^')
  writeInline(element.children, out, settings)
}

/** Markers touch the text they mark; blanks move outside. Nested or empty marks are dropped. */
function surround(mark: string, element: Element, out: string[], settings: Settings): void {
  const inner: string[] = []
  writeInline(element.children, inner, settings)
  const text = inner.join('')
  const trimmed = text.trim()
  if (isCode(trimmed) && trimmed === text) {
    writeCode(element, out)
    return
  }
  const marked = trimmed.startsWith(mark) || isCode(trimmed) || out.at(-1)?.endsWith(mark[0] ?? '')
  if (trimmed === '' || marked || trimmed.includes(hardBreak)) {
    out.push(text)
    return
  }
  const start = text.indexOf(trimmed)
  const plain = mark.length > 1 ? trimmed.replaceAll(mark, '') : trimmed
  if (start > 0) out.push(text.slice(0, start))
  const isText = element.children.every((child) => child.type === 'text')
  out.push(surrounded(mark, isText ? plain.replace(stars, escaped) : plain))
  if (text.length > start + trimmed.length) out.push(text.slice(start + trimmed.length))
}

/** Text between two marks, neither of which it touches with a star of its own. */
export function surrounded(mark: string, text: string): string {
  return mark + text.replace(edgeStars, escaped) + mark
}

/** A star of the text that touches a mark; a mark of its own has another at its other end. */
const edgeStars = /^(?<!\\)\*(?![^*]*\*)|(?<!\*[^*]*|\\)\*$/g
const stars = /(?<!\\)\*/g
const escaped = (character: string): string => `\\${character}`

const isCode = (text: string): boolean => /^(`+)[^`]+\1$/.test(text)

/** Inline code, as it reads. Code that follows code directly becomes one span. */
function writeCode(element: Element, out: string[]): void {
  const text = collapse(textOf(element).replaceAll(hardBreak, ''))
  if (text === '') {
    if (/\s/.test(textOf(element))) out.push(' ')
    return
  }
  const previous = out.at(-1)
  if (previous !== undefined && /^`[^`]+`$/.test(previous) && !text.includes('`'))
    out[out.length - 1] = `${previous.slice(0, -1)}${text}\``
  else out.push(codeSpan(text))
}

/** Quote text as inline code, with a fence longer than any backticks in it. */
export function codeSpan(text: string): string {
  const longest = longestBackticks(text)
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 && (text.startsWith('`') || text.endsWith('`')) ? ' ' : ''
  return fence + pad + text + pad + fence
}

function writeLink(element: Element, out: string[], settings: Settings): void {
  const { links, references, url } = settings
  // A link in superscript leads to a note: its number is no power of what stands before.
  const [mark] = element.children
  if (element.children.length === 1 && isElement(mark, 'sup')) {
    writeInline(mark.children, out, settings)
    return
  }
  const address = links === 'text' ? undefined : addressOf(element, url)
  if (address === undefined) {
    writeInline(element.children, out, settings)
    return
  }
  const inner: string[] = []
  writeInline(element.children, inner, settings)
  const text = inner.join('')
  if (text.trim() === '') out.push(text)
  else if (links === 'keep') out.push('[', text, `](${address})`)
  else out.push('[', text, `][${referenceNumber(references, address)}]`)
}

function writeAlternative(element: Element, out: string[]): void {
  const alternative = alternativeOf(element)
  if (alternative !== undefined) out.push(`![${escapeText(alternative)}]`)
}

/** The Markdown of running text as one line. */
export function inlineMarkdown(nodes: readonly ElementContent[], settings: Settings): string {
  const out: string[] = []
  writeInline(nodes, out, settings)
  return out
    .join('')
    .replaceAll(hardBreak, ' ')
    .replace(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
    .trim()
}
