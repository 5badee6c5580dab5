import type { Element } from 'hast'
import {
  type Entry,
  entriesOf,
  isAddressable,
  isDescribed,
  isLabel,
  isSignature,
} from '../read/read-definitions.ts'
import { takeLabel } from '../read/read-notes.ts'
import { childOf } from '../tree/children.ts'
import { stringProperty } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { lineOf } from '../tree/text-of.ts'
import { codeBlock, codeSpan } from './code-block.ts'
import { inlineMarkdown, within } from './inline.ts'
import { writeNoteText } from './note.ts'
import { blocksOf, prefixed } from './prefixed.ts'
import { type Settings, type State, writeApart } from './state.ts'

/**
 * Terms of functions and options become entries, which are sections that can be read separately.
 * Short terms stay text: `term: description`.
 */
export function writeDefinitionList(list: Element, state: State): void {
  const entries = entriesOf(list)
  const addressable = isAddressable(list, entries)
  for (const entry of entries) {
    const labels = entry.terms.map((term) => takeLabel(term, state.settings.notes))
    const label = labels.find((text) => text)
    const isSection = addressable && isDescribed(entry) && !entry.terms.some(isLabel)
    const writeTerm = isSection ? writeEntry : writeDefinition
    const write = entry.terms.every(isBlank) ? writeDescription : writeTerm
    if (label) writeNoteText(label, entry.description, state)
    else if (state.isDescription) writeInner(entry, state, write)
    else write(entry, state)
  }
}

/** Write a term inside a description as the item of a list, so that its end is visible. */
function writeInner(entry: Entry, state: State, write: typeof writeEntry): void {
  const nodes = writeApart(state, (apart) => write(entry, apart))
  const flatBlocks = nodes.filter((node) => node.type === 'flatBlock')
  const blocks = prefixed(blocksOf(nodes), '- ', '  ')
  for (const [index, node] of flatBlocks.entries()) node.block = blocks[index] ?? node.block
  state.append(nodes)
}

function writeDescription({ terms, description }: Entry, state: State): void {
  const outer = state.isDescription
  state.isDescription = !terms.some(isSignature)
  for (const part of description) {
    state.flow(part.children)
    state.flush()
  }
  state.isDescription = outer
}

function writeEntry(entry: Entry, state: State): void {
  const { terms } = entry
  const [id, ...aliases] = new Set(
    terms.flatMap((term) => {
      const termId = stringProperty(term, 'id')
      return termId ? [termId, ...(term.data?.aliases ?? [])] : []
    }),
  )
  const title = terms.map((term) => lineOf(term)).join(', ')
  state.out.push({ type: 'flatEntry', id, aliases, title })
  for (const term of terms) state.text('definition', termMarkdown(term, state.settings))
  writeDescription(entry, state)
  state.out.push({ type: 'flatEntryEnd' })
}

function writeDefinition(entry: Entry, state: State): void {
  const { terms } = entry
  for (const term of terms) {
    const id = stringProperty(term, 'id')
    if (id) state.out.push({ type: 'flatAnchor', id })
  }
  const title = terms.map((term) => termMarkdown(term, state.settings)).join('\n')
  const nodes = writeApart(state, (apart) => writeDescription(entry, apart))
  const first = nodes.find((node) => node.type === 'flatBlock')
  if (first?.block.kind === 'text' && !title.startsWith('```')) {
    first.block = { kind: 'definition', markdown: `${title}: ${first.block.markdown}` }
  } else if (title !== '') state.text('definition', title)
  state.append(nodes)
}

/** A signature becomes a code span; terms that contain code are unchanged; others become bold. */
function termMarkdown(element: Element, settings: Settings): string {
  const pre = childOf(element, 'pre')
  if (pre) return codeBlock(pre, undefined)?.markdown ?? ''
  if (isSignature(element)) return codeSpan(lineOf(element))
  const term = inlineMarkdown(element.children, settings).replace(/:$/, '')
  if (term === '' || /`|\*\*/.test(term)) return term
  return `**${inlineMarkdown(element.children, within('**', settings)).replace(/:$/, '')}**`
}
