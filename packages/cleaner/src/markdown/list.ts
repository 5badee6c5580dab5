import type { Element } from 'hast'
import type { Block } from '../page.ts'
import { childrenOf } from '../read/read-list.ts'
import { takeLabel } from '../read/read-notes.ts'
import { isElement } from '../tree/element.ts'
import { noteBlocks } from './note.ts'
import { anchorsOf, blocksOf, hasHeadings, listBlocks, prefixed } from './prefixed.ts'
import { type State, writeApart } from './state.ts'

/**
 * A list becomes one block. If it contains code or a table, each part of an item becomes a separate
 * indented block, so that code can be omitted or kept verbatim.
 */
export function writeList(list: Element, state: State): void {
  const items: Block[][] = []
  let indent = '  '
  for (const { node, marker } of childrenOf(list)) {
    const item = marker !== undefined && isElement(node) ? node : undefined
    const nodes = writeApart(state, (apart) => apart.flow(item?.children ?? [node]))
    // A list of cards or sections is layout: its headings matter more than its bullets.
    if (hasHeadings(nodes)) {
      state.blocks(listBlocks(items.splice(0)))
      state.append(nodes)
      continue
    }
    state.append(itemAnchors(item, nodes))
    const blocks = blocksOf(nodes)
    if (blocks.length === 0) continue
    // What stands between items is below the item before it.
    if (marker) indent = ' '.repeat(marker.indexOf(' ') + 1)
    const label = item && takeLabel(item, state.settings.notes)
    items.push(label ? noteBlocks(label, blocks) : prefixed(blocks, marker ?? indent, indent))
  }
  state.blocks(listBlocks(items))
}

function itemAnchors(item: Element | undefined, nodes: ReturnType<typeof writeApart>) {
  const id = item?.properties['id']
  const anchors = typeof id === 'string' ? [{ type: 'flatAnchor' as const, id }] : []
  return [...anchors, ...anchorsOf(nodes)]
}
