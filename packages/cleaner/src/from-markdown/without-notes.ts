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
  const end = kept.findLastIndex((node, at) => at > 0 && isChapter(node))
  const last = kept[end]
  if (!last || !/^agent instructions\b/i.test(plainText(last))) return kept
  const isAsking = kept.slice(end).some((node) => /[?&]ask=/.test(plainText(node)))
  return isAsking ? kept.slice(0, end) : kept
}

/** Word for word what they begin with; a page about such lists says it in words of its own. */
const indexNote =
  /^(?:for the complete documentation index, see\b|documentation index\s*fetch the complete documentation index at\b)/i

function isIndexNote(node: RootContent): boolean {
  if (node.type !== 'blockquote') return false
  const text = plainText(node)
  return text.length <= longestNote && indexNote.test(text.trim())
}

const isChapter = (node: RootContent): boolean => node.type === 'heading' && node.depth === 1
