import type { RootContent } from 'mdast'
import { toString as plainText } from 'mdast-util-to-string'

/** How far into a page a generator writes its note. */
const firstBlocks = 4
const longestNote = 500

/**
 * Without what Mintlify and GitBook write into every page for programs that read it: where the list
 * of all pages is, and how to ask the site's own assistant.
 */
export function withoutNotes(nodes: readonly RootContent[]): readonly RootContent[] {
  const kept = nodes.filter((node, at) => at >= firstBlocks || !isIndexNote(node))
  const end = kept.findLastIndex((node, at) => at > 0 && isInstructions(node))
  if (end < 0) return kept
  const after = kept.slice(end).map((node) => plainText(node))
  return after.some((text) => /[?&]ask=/.test(text)) ? kept.slice(0, end) : kept
}

function isIndexNote(node: RootContent): boolean {
  if (node.type !== 'blockquote' && node.type !== 'paragraph') return false
  const text = plainText(node)
  return text.length <= longestNote && /documentation index/i.test(text) && /llms\.txt/.test(text)
}

const isInstructions = (node: RootContent): boolean =>
  node.type === 'heading' && node.depth === 1 && /^agent instructions\b/i.test(plainText(node))
