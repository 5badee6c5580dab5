import type { Element } from 'hast'
import { readAdmonition } from '../read/read-admonition.ts'
import { emitQuote } from './quote.ts'
import { type State, writeApart } from './state.ts'

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
