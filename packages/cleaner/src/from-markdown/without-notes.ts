import { plainText } from './inline-markdown.ts'
import { childrenOf, type Token } from './parse-markdown.ts'

/** Blocks at the start of a page in which generators write their note. */
const firstBlocks = 4
const maxNoteLength = 500

/**
 * Remove the notes for programs that Mintlify and GitBook add to every page: the location of the
 * page list, and how to query the site's assistant.
 */
export function withoutNotes(tokens: readonly Token[]): readonly Token[] {
  let blocks = 0
  const content = tokens.filter((token) => {
    if (token.type === 'space') return true
    return blocks++ >= firstBlocks || !isIndexNote(token)
  })
  const end = content.findLastIndex((token, at) => at > 0 && isChapter(token))
  const last = content[end]
  if (!last || !/^agent instructions\b/i.test(plainText([last]))) return content
  const isAsking = content.slice(end).some((token) => /[?&]ask=/.test(plainText([token])))
  return isAsking ? content.slice(0, end) : content
}

/** The exact beginnings of these notes, so that prose about such lists is kept. */
const indexNote =
  /^(?:for the complete documentation index, see\b|documentation index\s*fetch the complete documentation index at\b)/i

function isIndexNote(token: Token): boolean {
  if (token.type !== 'blockquote') return false
  const text = plainText(childrenOf(token))
  return text.length <= maxNoteLength && indexNote.test(text.trim())
}

const isChapter = (token: Token): boolean => token.type === 'heading' && token['depth'] === 1
