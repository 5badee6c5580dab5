import type { Element } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf, isElement } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { emitQuote } from './quote.ts'
import { type State, writeApart } from './state.ts'
import { rowsOf } from './table-rows.ts'

const kinds = new Set(
  'attention caution danger deprecated error hint important info note seealso tip versionadded versionchanged warning'.split(
    ' ',
  ),
)
const boxes = new Set(['admonition', 'alert', 'callout', 'theme-admonition', 'custom-block'])
const titleClasses = new Set([
  'admonition-title',
  'alert-title',
  'callout-title',
  'custom-block-title',
  'title',
])

/** The kind of a note or warning set apart from the text, as its classes name it. */
export function admonitionKind(element: Element): string | undefined {
  if (element.tagName !== 'div' && element.tagName !== 'aside' && element.tagName !== 'section')
    return undefined
  const classes = classesOf(element)
  const kind = classes.find((name) => kinds.has(name))
  if (classes.some((name) => boxes.has(name))) return kind ?? 'note'
  // Without a box around it, the bare word has to come with a title to mean an admonition.
  return kind && (titleOf(element) || kind.startsWith('version') || kind === 'deprecated')
    ? kind
    : undefined
}

/** A quotation that opens with the title in bold. */
export function writeAdmonition(element: Element, state: State): void {
  const title = titleOf(element)
  const rest = title ? contentWithout(title, element) : element.children
  const nodes = writeApart(state, (apart) => apart.flow(rest))
  const label = title ? collapse(textOf(title)).replace(/:$/, '') : ''
  if (label !== '') {
    const first = nodes.find((node) => node.type === 'flatBlock')
    if (first?.block.kind === 'text' && first.block.lead === undefined)
      first.block = { ...first.block, markdown: `**${label}:** ${first.block.markdown}` }
    else nodes.unshift({ type: 'flatBlock', block: { kind: 'text', markdown: `**${label}**` } })
  }
  emitQuote(nodes, state)
}

function titleOf(element: Element): Element | undefined {
  const first = element.children.find((child) => child.type === 'element')
  if (!first) return undefined
  if (first.tagName === 'table') return tableTitle(first)
  if (/^h[1-6]$/.test(first.tagName)) return first
  return classesOf(first).some(isTitleClass) ? first : undefined
}

/** CSS modules append a hash to the name: `admonitionHeading_Gvgb`. */
const isTitleClass = (name: string): boolean =>
  titleClasses.has(name) || name.startsWith('admonitionHeading')

/** DocBook draws a box as a table: an icon, the title in a `th`, the text in the row below. */
function tableTitle(table: Element): Element | undefined {
  let title: Element | undefined
  hasBelow(table, (child) => {
    if (child.tagName === 'th') title ??= child
    return title !== undefined
  })
  return title
}

function contentWithout(title: Element, element: Element): Element['children'] {
  if (title.tagName !== 'th') return element.children.filter((child) => child !== title)
  return element.children.flatMap((child) =>
    isElement(child, 'table')
      ? rowsOf(child)
          .slice(1)
          .flat()
          .flatMap((cell) => cell.element.children)
      : [child],
  )
}
