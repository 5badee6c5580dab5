import type { Element } from 'hast'
import type { FlatNode } from './flat-tree.ts'
import { anchorsOf, blocksOf, hasHeadings, quoted } from './prefixed.ts'
import { type State, writeApart } from './state.ts'

export function writeQuote(element: Element, state: State): void {
  emitQuote(
    writeApart(state, (apart) => apart.flow(element.children)),
    state,
  )
}

/** Emit content as a quotation: one block, or several if it contains code or tables. */
export function emitQuote(nodes: readonly FlatNode[], state: State): void {
  if (hasHeadings(nodes)) {
    state.append(nodes)
    return
  }
  state.append(anchorsOf(nodes))
  const blocks = blocksOf(nodes)
  // Docutils writes an indented list as a block quotation, which is not a quotation.
  const isList = blocks.every((block) => block.kind === 'list')
  state.blocks(isList ? blocks : quoted(blocks))
}
