import type { RootContent } from 'mdast'
import { toString as plainText } from 'mdast-util-to-string'

/** Blocks at the start of a page in which generators write their note. */
const firstBlocks = 4
const maxNoteLength = 500

/**
 * Remove the notes for programs that Mintlify and GitBook add to every page: the location of the
 * page list, and how to query the site's assistant.
 */
export function withoutNotes(nodes: readonly RootContent[]): readonly RootContent[] {
  const content = nodes.filter((node, at) => at >= firstBlocks || !isIndexNote(node))
  const end = content.findLastIndex((node, at) => at > 0 && isChapter(node))
  const last = content[end]
  if (!last || !/^agent instructions\b/i.test(plainText(last))) return content
  const isAsking = content.slice(end).some((node) => /[?&]ask=/.test(plainText(node)))
  return isAsking ? content.slice(0, end) : content
}

/** The exact beginnings of these notes, so that prose about such lists is kept. */
const indexNote =
  /^(?:for the complete documentation index, see\b|documentation index\s*fetch the complete documentation index at\b)/i

function isIndexNote(node: RootContent): boolean {
  if (node.type !== 'blockquote') return false
  const text = plainText(node)
  return text.length <= maxNoteLength && indexNote.test(text.trim())
}

const isChapter = (node: RootContent): boolean => node.type === 'heading' && node.depth === 1
