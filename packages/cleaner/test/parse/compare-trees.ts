import { HandOver } from '../../src/parse/hand-over.ts'
import { parseWellFormed } from '../../src/parse/parse-well-formed.ts'
import { parseWithParse5 } from '../../src/parse/parse-with-parse5.ts'

const bounds = { maxElements: 100_000, checkTime: () => {} }

/** The tree without the parser's own links, in the order of its attributes. */
export const treeOf = (html: string) => JSON.stringify(parseWithParse5(html, bounds))

/** The tree of the fast parse, or why the document was handed over. */
export function fastTreeOf(html: string): { tree: string } | { reason: string } {
  try {
    return { tree: JSON.stringify(parseWellFormed(html, bounds).root) }
  } catch (error) {
    if (!(error instanceof HandOver))
      throw new Error(`Parsing ${JSON.stringify(html)}`, { cause: error })
    return { reason: error.message }
  }
}

const isDifferent = (html: string) => {
  const result = fastTreeOf(html)
  return 'tree' in result && result.tree !== treeOf(html)
}

/** The document without everything that its trees differ without. */
function smallest(document: string): string {
  let html = document
  for (let size = html.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < html.length; ) {
      const shorter = html.slice(0, at) + html.slice(at + size)
      if (isDifferent(shorter)) html = shorter
      else at += size
    }
  return html
}

/** Documents with different trees, and the share of those that were not handed over. */
export function compare(documents: Iterable<string>) {
  const different: string[] = []
  let all = 0
  let fast = 0
  for (const html of documents) {
    all++
    const result = fastTreeOf(html)
    if ('reason' in result) continue
    fast++
    if (result.tree !== treeOf(html) && different.length < 5) different.push(smallest(html))
  }
  return { all, different, fast }
}
