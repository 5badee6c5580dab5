import type { Element, ElementContent, Nodes, Text } from 'hast'
import { addressOf, checkboxOf, emphasis, powerMarks, unseenTags } from '../read/read-inline.ts'
import { texOf } from '../read/read-math.ts'
import { labelsIn, leadsBack, marksNote } from '../read/read-notes.ts'
import { alternativeOf } from '../tree/alternative.ts'
import { bracketReadings, isBox, isGlued } from '../tree/boxes.ts'
import { isElement } from '../tree/element.ts'
import { codeTags } from '../tree/tags.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { byWord } from '../tree/word-lists.ts'
import { codeSpan } from './code-block.ts'
import { escapeBrackets, escapeText } from './escape-text.ts'
import { referenceNumber } from './references.ts'
import type { Settings } from './state.ts'
import { hardBreak } from './tidy-inline.ts'

type InlineHandler = (element: Element, out: string[], settings: Settings) => void

/** Write running text as Markdown; `tidyInline` joins the pieces into a paragraph. */
function writeInline(nodes: readonly Nodes[], out: string[], settings: Settings): void {
  for (const node of nodes) {
    if (node.type === 'text') writeText(node, out, settings)
    else if (node.type === 'element') writeInlineElement(node, out, settings)
  }
}

function inlineText(nodes: readonly Nodes[], settings: Settings): string {
  const out: string[] = []
  writeInline(nodes, out, settings)
  return out.join('')
}

export function writeText({ value }: Text, out: string[], settings: Settings): void {
  const text = value.includes(hardBreak) ? value.replaceAll(hardBreak, '') : value
  if (out.at(-1) === boxEnd && isGlued(out.at(-2), text)) out.push(' ')
  out.push(escapeText(text, settings.marks.size > 0))
}

/** A piece after a box: the text after it is another word. */
const boxEnd = ''

export function writeInlineElement(element: Element, out: string[], settings: Settings): void {
  const at = out.length
  const isApart = isBox(element)
  if (isApart) out.push(boxEnd)
  const tex = texOf(element)?.replace(/\s+/g, ' ').trim()
  const handle = handlers.get(element.tagName)
  if (tex) out.push(`$${tex}$`)
  else if (handle) handle(element, out, settings)
  else writeInline(element.children, out, settings)
  separate(out, isApart ? at + 1 : at)
  if (isApart) out.push(boxEnd)
}

function separate(out: string[], at: number): void {
  let before = at - 1
  while (out[before] === boxEnd) before--
  if (before < at - 1 && isGlued(out[before], out[at])) out.splice(at, 0, ' ')
}

const delimiters = { strong: '**', em: '*', del: '~~' }

function writeQuotation(element: Element, out: string[], settings: Settings): void {
  out.push('"')
  writeInline(element.children, out, settings)
  out.push('"')
}

function writeRuby(element: Element, out: string[], settings: Settings): void {
  bracketReadings(element)
  writeInline(element.children, out, settings)
}

const handlers = byWord<InlineHandler>([
  ['a', writeLink],
  ['br', (_element, out) => void out.push(hardBreak)],
  ['img', writeAlternative],
  // The state of an item in a task list.
  ['input', (element, out) => void out.push(...checkboxOf(element))],
  ['q', writeQuotation],
  ['ruby', writeRuby],
  ['sup', writeSuperscript],
  ...Array.from(emphasis, ([tagName, mark]): [string, InlineHandler] => [
    tagName,
    (element, out, settings) => surround(delimiters[mark], element, out, settings),
  ]),
  [[...codeTags].join(' '), writeCode],
  [[...unseenTags].join(' '), () => {}],
])

/**
 * An exponent is written as `2^64`, so that it cannot be read as a factor, and the number of a note
 * as `[^1]`, so that it cannot be read as a part of the word.
 */
function writeSuperscript(element: Element, out: string[], settings: Settings): void {
  if (writeNote(element, out, settings)) return
  const before = out.at(-1) ?? ''
  const mark = settings.notes.marks.size > 0 ? marksNote(textOf(element), before) : undefined
  if (mark !== undefined && settings.notes.marks.has(mark)) {
    out.push(`[^${mark}]`)
    return
  }
  const [start, end] = powerMarks(element, before)
  if (start) out.push(start)
  writeInline(element.children, out, settings)
  if (end) out.push(end)
}

function writeNote(element: Element, out: string[], { notes }: Settings): boolean {
  const labels = labelsIn(element, notes)
  out.push(...labels.map((label) => `[^${label}]`))
  return labels.length > 0
}

/** Delimiters touch the text, so white space moves outside. Nested or empty emphasis is dropped. */
function surround(mark: string, element: Element, out: string[], settings: Settings): void {
  if (settings.marks.has(mark)) {
    writeInline(element.children, out, settings)
    return
  }
  const text = inlineText(element.children, within(mark, settings))
  const trimmed = text.trim()
  if (mark === delimiters.del) {
    strike(text, out)
    return
  }
  if (isCode(trimmed) && trimmed === text) {
    writeCode(element, out)
    return
  }
  const touches = trimmed.startsWith(mark) || out.at(-1)?.endsWith(mark[0] ?? '')
  if (trimmed === '' || touches || isCode(trimmed) || trimmed.includes(hardBreak)) out.push(text)
  else pushApart(text, trimmed, mark + trimmed + mark, out)
}

/** Struck text is no longer valid, so that it is marked in each line, and next to other struck text. */
function strike(text: string, out: string[]): void {
  for (const [index, line] of text.split(hardBreak).entries()) {
    if (index > 0) out.push(hardBreak)
    const trimmed = line.trim()
    const last = out.at(-1) ?? ''
    if (trimmed === '') out.push(line)
    else if (last.endsWith('~~') && line.startsWith(trimmed))
      out.splice(-1, 1, last.slice(0, -2), `${line.trimEnd()}~~`, line.slice(line.trimEnd().length))
    else pushApart(line, trimmed, `~~${trimmed}~~`, out)
  }
}

export const within = (mark: string, settings: Settings): Settings => ({
  ...settings,
  marks: new Set([...settings.marks, mark]),
})

/** Replace the trimmed text, keeping the white space around it. */
function pushApart(text: string, trimmed: string, instead: string, out: string[]): void {
  const start = text.indexOf(trimmed)
  const end = start + trimmed.length
  if (start > 0) out.push(text.slice(0, start))
  out.push(instead)
  if (end < text.length) out.push(text.slice(end))
}

const isCode = (text: string): boolean => /^(`+)[^`]+\1$/.test(text)

/** In characters; longer code spans are not extended, because some pages consist of code only. */
const maxJoinedLength = 1000

/** Inline code as rendered. Adjacent code elements become one span. */
function writeCode(element: Element, out: string[]): void {
  const text = collapse(textOf(element).replaceAll(hardBreak, ''))
  if (text === '') {
    if (/\s/.test(textOf(element))) out.push(' ')
    return
  }
  const previous = out.at(-1)
  const isShort = previous !== undefined && previous.length < maxJoinedLength
  if (isShort && /^`[^`]+`$/.test(previous) && !text.includes('`'))
    out[out.length - 1] = `${previous.slice(0, -1)}${text}\``
  else out.push(codeSpan(text))
}

function writeLink(element: Element, out: string[], settings: Settings): void {
  const { links, references, url } = settings
  if (leadsBack(element, settings.notes) || writeNote(element, out, settings)) return
  const [mark] = element.children
  const isMark = element.children.length === 1 && isElement(mark, 'sup')
  const address = links === 'text' || isMark ? undefined : addressOf(element, url)
  if (address === undefined) {
    // A superscript link is no exponent.
    writeInline(isMark ? mark.children : element.children, out, settings)
    return
  }
  const text = inlineText(element.children, settings)
  const trimmed = text.trim()
  if (trimmed.replaceAll(hardBreak, '') === '') out.push(text)
  else {
    const target = links === 'keep' ? `(${address})` : `[${referenceNumber(references, address)}]`
    pushApart(text, trimmed, `[${escapeBrackets(trimmed)}]${target}`, out)
  }
}

function writeAlternative(element: Element, out: string[]): void {
  const alternative = alternativeOf(element)
  if (alternative !== undefined) out.push(`![${escapeText(alternative)}]`)
}

/** The Markdown of running text on one line. */
export function inlineMarkdown(nodes: readonly ElementContent[], settings: Settings): string {
  return inlineText(nodes, settings)
    .replaceAll(hardBreak, ' ')
    .replace(/[\t\n\f\r][ \t\n\f\r]*| [ \t\n\f\r]+/g, ' ')
    .trim()
}
