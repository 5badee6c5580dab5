import type { Element } from 'hast'
import type { Block } from '../page.ts'
import { readAdmonition } from '../read/read-admonition.ts'
import type { FlatNode } from './flat-tree.ts'
import { quoted } from './prefixed.ts'
import { appendWrapped, type State, writeApart } from './state.ts'

export function writeQuote(element: Element, state: State): void {
  emitQuote(
    writeApart(state, (apart) => apart.flow(element.children)),
    state,
  )
}

/** Emit content as a quotation: one block, or several if it contains code or tables. */
function emitQuote(nodes: readonly FlatNode[], state: State): void {
  // Docutils writes an indented list as a block quotation, which is not a quotation.
  const isList = (blocks: readonly Block[]) => blocks.every(({ kind }) => kind === 'list')
  appendWrapped(nodes, (blocks) => (isList(blocks) ? blocks : quoted(blocks)), state)
}

/** A block quotation that begins with the title in bold. */
export function writeAdmonition(element: Element, state: State): void {
  const { label, content } = readAdmonition(element)
  const nodes = writeApart(state, (apart) => apart.flow(content))
  if (label !== '') {
    const first = nodes.find((node) => node.type === 'flatBlock')
    if (first?.block.kind === 'text' && first.block.lead === undefined)
      first.block = { ...first.block, markdown: `**${label}:** ${first.block.markdown}` }
    else nodes.unshift({ type: 'flatBlock', block: { kind: 'text', markdown: `**${label}**` } })
  }
  emitQuote(nodes, state)
}
