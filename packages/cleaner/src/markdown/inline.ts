import type { Element, ElementContent, Nodes, Text } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
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

/** A power is not a factor: `2^64`. Marks of notes and ordinals are text. */
function writeSuperscript(element: Element, out: string[], settings: Settings): void {
  const isPower = /^[-+−]?\s*[\p{L}\p{N}]{1,6}$/u.test(textOf(element).trim())
  const follows = /[\p{N})\]a-z]$/iu.test(out.at(-1) ?? '')
  const isOrdinal = /^(?:st|nd|rd|th|tm|r|c|er|e|o|a)$/i.test(textOf(element).trim())
  if (isPower && follows && !isOrdinal && !hasBelow(element, isAnchor)) out.push('^')
  writeInline(element.children, out, settings)
}

const isAnchor = ({ tagName }: Element): boolean => tagName === 'a'

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
  out.push(text.slice(0, start), mark + plain + mark, text.slice(start + trimmed.length))
}

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
  const href = stringProperty(element, 'href')
  if (settings.links === 'text' || !href || href.startsWith('#')) {
    writeInline(element.children, out, settings)
    return
  }
  const inner: string[] = []
  writeInline(element.children, inner, settings)
  const text = inner.join('')
  if (text.trim() === '') {
    out.push(text)
    return
  }
  const { links, references, url } = settings
  const address = resolve(href, url).replace(/[\s()]/g, percentEncoded)
  const isKept = links === 'keep'
  out.push('[', text, isKept ? `](${address})` : `][${referenceNumber(references, address)}]`)
}

/** Blanks and parentheses would end the link. */
const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

function resolve(href: string, base: string | undefined): string {
  return base !== undefined && URL.canParse(href, base) ? new URL(href, base).href : href
}

/** An image is its alternative text, where that says more than a file name. */
function writeAlternative(element: Element, out: string[]): void {
  const alternative = collapse(stringProperty(element, 'alt') ?? '')
  if (alternative !== '' && !/^\S+\.(?:png|jpe?g|gif|svg|webp)$/i.test(alternative))
    out.push(`![${escapeText(alternative)}]`)
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
