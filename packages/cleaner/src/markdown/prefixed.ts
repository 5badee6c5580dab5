import type { Block } from '../page.ts'
import type { FlatNode } from './flat-tree.ts'
import { renderBlock, separatorBetween } from './render-block.ts'

/** Blocks below a list item or quotation: the first gets `lead`, the others `prefix`. */
export function prefixed(blocks: readonly Block[], lead: string, prefix: string): Block[] {
  return blocks.map((block, index) => {
    const outer = index === 0 ? lead : prefix
    const inner = block.lead ?? block.prefix ?? ''
    return {
      ...block,
      prefix: prefix + (block.prefix ?? ''),
      ...(outer + inner !== prefix + (block.prefix ?? '') && { lead: outer + inner }),
    }
  })
}

/** True if all blocks can be merged into a block of another kind. */
export function canMerge(blocks: readonly Block[]): boolean {
  return blocks.every((block) => block.kind !== 'code' && block.kind !== 'table')
}

export function mergeBlocks(blocks: readonly Block[], tight: boolean): string {
  return blocks
    .map((block, index) => {
      const next = blocks[index + 1]
      return renderBlock(block) + (next ? (tight ? '\n' : separatorBetween(block, next)) : '')
    })
    .join('')
}

export function blocksOf(nodes: readonly FlatNode[]): Block[] {
  return nodes.flatMap((node) => (node.type === 'flatBlock' ? [node.block] : []))
}

/** Fragments inside content that will be wrapped. */
export function anchorsOf(nodes: readonly FlatNode[]): FlatNode[] {
  return nodes.filter((node) => node.type === 'flatAnchor')
}

export const hasHeadings = (nodes: readonly FlatNode[]): boolean =>
  nodes.some((node) => node.type === 'flatHeading' || node.type === 'flatEntry')
