import type { Element, ElementContent, Nodes } from 'hast'
import { admonitionKind } from '../read/read-admonition.ts'
import { isCodeBlock, isCodeBox, languageOf, readCode } from '../read/read-code.ts'
import { emphasis } from '../read/read-inline.ts'
import { isDisplayMath } from '../read/read-math.ts'
import { takeLabel } from '../read/read-notes.ts'
import { tableOf } from '../read/read-role-table.ts'
import { blockTags } from '../tree/block-tags.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { fragmentOf, stringProperty } from '../tree/properties.ts'
import { lineOf } from '../tree/text-of.ts'
import { writeAdmonition } from './admonition.ts'
import { writeCodeBlock } from './code-block.ts'
import { writeDefinitionList } from './definition-list.ts'
import { inlineMarkdown, within, writeInlineElement, writeText } from './inline.ts'
import { writeList } from './list.ts'
import { writeDisplayMath } from './math.ts'
import { writeNoteText } from './note.ts'
import { writeQuote } from './quote.ts'
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
  let end = start
  while (isElement(nodes[end], 'li') || isBlank(nodes[end])) end++
  state.flush()
  writeList(element('ul', nodes.slice(start, end) as ElementContent[]), state)
  return end - 1
}

const isBlank = (node: Nodes | undefined): boolean =>
  node?.type === 'text' && !/\S/.test(node.value)

const handlers: ReadonlyMap<string, FlowHandler> = new Map<string, FlowHandler>(
  Object.entries({
    blockquote: writeQuote,
    dir: writeList,
    dl: writeDefinitionList,
    h1: writeHeading,
    h2: writeHeading,
    h3: writeHeading,
    h4: writeHeading,
    h5: writeHeading,
    h6: writeHeading,
    menu: writeList,
    ol: writeList,
    pre: writeCodeBlock,
    summary: writeSummary,
    table: writeTable,
    ul: writeList,
  }),
)

function writeElement(element: Element, state: State): void {
  const table = tableOf(element)
  if (table) {
    state.flush()
    writeAnchor(element, state)
    writeTable(table, state)
    return
  }
  const label = noteTags.has(element.tagName) && takeLabel(element, state.settings.notes)
  if (label) {
    state.flush()
    writeAnchor(element, state)
    writeNoteText(label, [element], state)
    return
  }
  const handle = handlers.get(element.tagName)
  const isBlock = blockTags.has(element.tagName)
  if (isBlock) state.flush()
  if (!handle) writeAnchor(element, state)
  if (handle) handle(element, state)
  else if (isDisplayMath(element)) writeDisplayMath(element, state)
  else if (isBlock && isCodeBlock(element)) writeCodeBlock(element, state)
  else if (isBlock && admonitionKind(element)) writeAdmonition(element, state)
  else if (isBlock || state.settings.blockHolders.has(element)) {
    if (emphasis.get(element.tagName) === 'del') strikeRuns(element, state.settings.blockHolders)
    writeContainer(element, state)
  } else writeInlineElement(element, state.inline, state.settings)
  if (isBlock) state.flush()
}

/** Elements that may be a footnote; items and descriptions are, too. */
const noteTags = new Set(['aside', 'div', 'p', 'table'])

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
    } else if (isElement(child) && (blockTags.has(child.tagName) || blockHolders.has(child))) {
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
