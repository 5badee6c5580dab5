import type { Element } from 'hast'
import type { Block } from '../page.ts'
import { isElement } from '../tree/properties.ts'
import { anchorsOf, blocksOf, hasHeadings, listed, prefixed } from './prefixed.ts'
import { type State, writeApart } from './state.ts'

/**
 * A list becomes one block. If it contains code or a table, each part of an item becomes a separate
 * indented block, so that code can be omitted or kept verbatim.
 */
export function writeList(list: Element, state: State): void {
  const items: Block[][] = []
  let number = startOf(list)
  for (const child of list.children) {
    const item = isElement(child, 'li') ? child : undefined
    const nodes = writeApart(state, (apart) => apart.flow(item?.children ?? [child]))
    // A list of cards or sections is layout: its headings matter more than its bullets.
    if (hasHeadings(nodes)) {
      state.blocks(listed(items.splice(0)))
      state.append(nodes)
      continue
    }
    state.append(itemAnchors(item, nodes))
    const blocks = blocksOf(nodes)
    if (blocks.length === 0) continue
    const marker = !item ? '  ' : list.tagName === 'ol' ? `${number++}. ` : '- '
    items.push(prefixed(blocks, marker, ' '.repeat(marker.length)))
  }
  state.blocks(listed(items))
}

function itemAnchors(item: Element | undefined, nodes: ReturnType<typeof writeApart>) {
  const id = item?.properties['id']
  const own = typeof id === 'string' ? [{ type: 'flatAnchor' as const, id }] : []
  return [...own, ...anchorsOf(nodes)]
}

/** Markdown numbers start at 0 or more and have at most nine digits. */
function startOf(list: Element): number {
  const start = Number(list.properties['start'] ?? 1)
  return Number.isInteger(start) && start >= 0 && start < 900_000_000 ? start : 1
}
