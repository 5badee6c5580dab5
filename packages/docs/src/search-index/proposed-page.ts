import { termsOf } from '@pith-mcp/scorer'
import { decoded } from '#base/decoded'
import type { IndexedPage } from './search-index.ts'

/** What a listing says about a page, for finding it before it is read. */
export interface Proposal {
  title?: string
  /** Any text about the page or from it. */
  text?: string
  /** Terms of `termsOf` in addition to those of the text. */
  terms?: readonly string[]
}

/** At most this many terms of a page, and characters, are indexed before it is read. */
const maxTerms = 20_000
const maxTextLength = 200_000

/** A page to be found by its listing and the words of its URL until it is read. */
export function proposedPage(url: string, stamp: string, proposal: Proposal): IndexedPage {
  const { title = '', text = '', terms = [] } = proposal
  const path = wordsOfPath(url)
  const all = new Set([...termsOf(`${path}\n${text.slice(0, maxTextLength)}`), ...terms])
  const name = title || path.split(' ').at(-1) || url
  const words = [...all].slice(0, maxTerms).join(' ')
  return {
    url,
    title: name,
    stamp,
    headings: [],
    sections: [{ id: '', title: name, heading: name, path: [], text: words, tokens: 0 }],
    isProposed: true,
  }
}

function wordsOfPath(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return decoded(path)
    .replace(/\.\w{1,5}$/, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
