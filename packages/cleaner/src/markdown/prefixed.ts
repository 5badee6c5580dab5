import type { Block, BlockKind } from '../page.ts'
import type { FlatNode } from './flat-tree.ts'

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
function canMerge(blocks: readonly Block[]): boolean {
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

/** A list as one block, or its parts if one of them cannot be merged. */
export function listBlocks(items: readonly Block[][]): Block[] {
  if (items.length === 0) return []
  if (!items.every(canMerge)) return items.flat().map((block) => ofKind(block, 'list'))
  const merged = items.map((blocks) => mergeBlocks(blocks, isTight(blocks)))
  return [{ kind: 'list', markdown: merged.join('\n') }]
}

/** Items of one paragraph, with or without nested lists, need no blank lines. */
const isTight = (blocks: readonly Block[]): boolean =>
  blocks.every((block, index) => index === 0 || block.kind === 'list')

/** A quotation as one block, or its parts if one of them cannot be merged. */
export function quoted(blocks: readonly Block[]): Block[] {
  const parts = prefixed(blocks, '> ', '> ')
  if (!canMerge(parts)) return parts.map((block) => ofKind(block, 'quote'))
  return parts.length > 0 ? [{ kind: 'quote', markdown: mergeBlocks(parts, false) }] : []
}

const ofKind = (block: Block, kind: BlockKind): Block =>
  block.kind === 'text' ? { ...block, kind } : block

export function blocksOf(nodes: readonly FlatNode[]): Block[] {
  return nodes.flatMap((node) => (node.type === 'flatBlock' ? [node.block] : []))
}

/** Fragments inside content that will be wrapped. */
export function anchorsOf(nodes: readonly FlatNode[]): FlatNode[] {
  return nodes.filter((node) => node.type === 'flatAnchor')
}

export const hasHeadings = (nodes: readonly FlatNode[]): boolean =>
  nodes.some((node) => node.type === 'flatHeading' || node.type === 'flatEntry')

/** The lines of a block with their prefixes. */
export function renderBlock({ markdown, lead, prefix = '' }: Block): string {
  if (prefix === '' && lead === undefined) return markdown
  return markdown
    .split('\n')
    .map((line, index) => (index === 0 ? (lead ?? prefix) : prefix) + line)
    .map((line) => (line.trim() === '' || line.trim() === '>' ? line.trimEnd() : line))
    .join('\n')
}

/** The separator of two blocks: a blank line, quoted inside a quotation. */
export function separatorBetween(block: Block, next: Block): string {
  const before = block.prefix ?? ''
  const after = next.prefix ?? ''
  let shared = 0
  while (shared < before.length && before[shared] === after[shared]) shared++
  return `\n${before.slice(0, shared).trimEnd()}\n`
}
