import type { Element, ElementContent, Nodes } from 'hast'
import { admonitionKind } from '../read/read-admonition.ts'
import { isCodeBlock, isCodeBox, languageOf, readCode } from '../read/read-code.ts'
import { emphasis } from '../read/read-inline.ts'
import { isDisplayMath, texOf } from '../read/read-math.ts'
import { notesApart, takeLabel } from '../read/read-notes.ts'
import { tableOf } from '../read/read-role-table.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { fragmentOf, stringProperty } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { isBlock, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { byWord } from '../tree/word-lists.ts'
import { writeCodeBlock } from './code-block.ts'
import { writeDefinitionList } from './definition-list.ts'
import { inlineMarkdown, within, writeInlineElement, writeText } from './inline.ts'
import { writeList } from './list.ts'
import { writeNoteText } from './note.ts'
import { writeAdmonition, writeQuote } from './quote.ts'
import type { State } from './state.ts'
import { writeTable } from './table.ts'

type FlowHandler = (element: Element, state: State) => void

/** Write flow content: consecutive blocks, with running text between them as paragraphs. */
export function writeFlow(nodes: readonly Nodes[], state: State): void {
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Nodes
    if (node.type === 'text') writeText(node, state.inline, state.settings)
    if (node.type !== 'element') continue
    if (node.tagName !== 'li') writeElement(node, state)
    else at = writeItems(nodes, at, state)
  }
}

/** Items without a list, which browsers show with bullets; returns the index of the last one. */
function writeItems(nodes: readonly Nodes[], start: number, state: State): number {
  const isItem = (node?: Nodes) => isElement(node, 'li') || (node?.type === 'text' && isBlank(node))
  let end = start
  while (isItem(nodes[end])) end++
  state.flush()
  writeList(element('ul', nodes.slice(start, end) as ElementContent[]), state)
  return end - 1
}

const handlers = byWord<FlowHandler>([
  ['blockquote', writeQuote],
  ['dir menu ol ul', writeList],
  ['dl', writeDefinitionList],
  ['h1 h2 h3 h4 h5 h6', writeHeading],
  ['pre', writeCodeBlock],
  ['summary', writeSummary],
  ['table', writeTable],
])

function writeElement(element: Element, state: State): void {
  const table = tableOf(element)
  if (!table && mayBeNote(element) && writeNotes(element, state)) return
  const label = table ? undefined : mayBeNote(element) && takeLabel(element, state.settings.notes)
  const handle = table || label ? undefined : handlers.get(element.tagName)
  const isApart = isBlock(element)
  if (isApart || table || label) state.flush()
  if (!handle) writeAnchor(element, state)
  if (table) writeTable(table, state)
  else if (label) writeNoteText(label, [element], state)
  else if (handle) handle(element, state)
  else writeOther(element, isApart, state)
  if (isApart) state.flush()
}

/** Write a block of several notes as that many; false for any other. */
function writeNotes(element: Element, state: State): boolean {
  const notes = notesApart(element, state.settings.notes)
  if (notes.length > 1) for (const note of notes) writeElement(note, state)
  return notes.length > 1
}

function writeOther(element: Element, isApart: boolean, state: State): void {
  if (isDisplayMath(element)) writeDisplayMath(element, state)
  else if (isApart && isCodeBlock(element)) writeCodeBlock(element, state)
  else if (isApart && admonitionKind(element)) writeAdmonition(element, state)
  else if (isApart || state.settings.blockHolders.has(element)) {
    if (emphasis.get(element.tagName) === 'del') strikeRuns(element, state.settings.blockHolders)
    writeContainer(element, state)
  } else writeInlineElement(element, state.inline, state.settings)
}

/** Elements that may be a footnote; items and descriptions are, too. */
const mayBeNote = isTag('aside div p table')

function writeContainer(element: Element, state: State): void {
  const outer = state.codeLanguage
  state.codeLanguage = languageOf(element) ?? (isCodeBox(element) ? (outer ?? '') : outer)
  writeFlow(element.children, state)
  state.codeLanguage = outer
}

/** Strike the running text in the blocks of an element; code becomes text in lines. */
function strikeRuns(box: Element, blockHolders: ReadonlySet<Element>): void {
  const children: ElementContent[] = []
  for (const child of box.children) {
    const last = children.at(-1)
    if (isElement(child) && isCodeBlock(child)) {
      const lines = readCode(child, undefined)?.value.split('\n') ?? []
      const codes = lines.flatMap((line) => [element('code', [textNode(line)]), element('br')])
      children.push(element('p', [element('del', codes)]))
    } else if (isElement(child) && (isBlock(child) || blockHolders.has(child))) {
      strikeRuns(child, blockHolders)
      children.push(child)
    } else if (isElement(last, 'del') && !blockHolders.has(last)) last.children.push(child)
    else children.push(element('del', [child]))
  }
  box.children = children
}

function writeHeading(element: Element, state: State): void {
  const title = lineOf(element)
  if (title === '') return
  state.out.push({
    type: 'flatHeading',
    level: Number(element.tagName.slice(1)),
    id: stringProperty(element, 'id'),
    aliases: element.data?.aliases ?? [],
    title,
  })
}

function writeDisplayMath(element: Element, state: State): void {
  state.flush()
  const tex = texOf(element)?.trim()
  if (tex) state.text('text', `$$\n${tex.replace(/\n\s*\n/g, '\n')}\n$$`)
}

function writeSummary(element: Element, state: State): void {
  // Some generators put the heading of a collapsible section into its summary.
  if (state.settings.blockHolders.has(element)) writeFlow(element.children, state)
  else {
    const title = inlineMarkdown(element.children, within('**', state.settings))
    if (title !== '') state.text('text', `**${title}**`)
  }
}

function writeAnchor(element: Element, state: State): void {
  const id = fragmentOf(element)
  if (id) state.out.push({ type: 'flatAnchor', id })
}
