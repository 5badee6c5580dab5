// Whether the text of a section arrived. The HTML says what its text is: runs of text between the
// edges of blocks, without what the corpus says no reader would miss (controls, links to the source).
// It arrived whole if all runs are in the reply, in their order; of both, only letters and digits are
// compared.
import { parseHTML } from 'linkedom'

export const inline = new Set(
  'a abbr b bdi bdo cite code del dfn em font i img ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
/** Letters and digits alone. */
export const plain = (text) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

/** @returns {{text: string, isCode: boolean}[]} of the element `from`, or of all up to `until` */
export function sectionRuns(html, { from, until, remove }) {
  const { document } = parseHTML(html)
  const start = document.querySelector(from)
  if (!start) throw new Error(`there is no ${from}`)
  const ends = until ? new Set(document.querySelectorAll(until)) : new Set()
  ends.delete(start)
  const controls = ['script, style, button, .headerlink', ...(remove ? [remove] : [])].join(', ')
  for (const element of document.querySelectorAll(controls)) element.remove()
  const runs = []
  let run = ''
  let inside = false
  let over = false
  const edge = (isCode) => {
    const text = plain(run)
    if (text) runs.push({ text, isCode })
    run = ''
  }
  const visit = (node, isCode) => {
    if (node === start) inside = true
    if (inside && ends.has(node)) over = true
    if (over) return
    if (node.nodeType === 3 && inside) run += node.data
    if (node.nodeType !== 1) return
    const code = isCode || node.localName === 'pre'
    const isBlock = !inline.has(node.localName) && !isCode
    if (isBlock) edge(isCode)
    for (const child of [...node.childNodes]) visit(child, code)
    if (isBlock) edge(code)
    if (node === start && !until) over = true
  }
  visit(document.documentElement, false)
  return runs
}

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }

const tags =
  'a|b|br|code|dd|div|dl|dt|em|hr|i|kbd|li|p|pre|s|span|strong|sub|sup|table|td|th|tr|ul|var'
const tag = new RegExp(`(?<!\\\\)</?(?:${tags})(?:\\s[^<>]*)?/?>`, 'g')

/** The words of Markdown as a reader sees them: no targets of links, no tags, no languages. */
export const visible = (markdown) =>
  markdown
    .replace(/\]\((?:[^()\n]|\\[()]|\((?:[^()\n]|\([^()\n]*\))*\))*\)/g, ']')
    .replace(/^([\s>*\-\d.]*(?:```|~~~)).*$/gm, '$1')
    .replace(tag, '')
    .replace(/&(lt|gt|amp|quot|nbsp);/g, (_, name) => entities[name])

function missingRuns(runs, texts) {
  const places = texts.map((text) => ({ whole: plain(text), at: 0 }))
  return runs.filter(({ text }) => {
    let isFound = false
    for (const place of places) {
      const found = place.whole.indexOf(text, place.at)
      if (found < 0) continue
      place.at = found + text.length
      isFound = true
    }
    return !isFound
  })
}

/** The runs that a reply lacks. Code may stand verbatim or with links in it; off, none is asked. */
export function missing(runs, markdown, { code = true } = {}) {
  const read = visible(markdown)
  const prose = runs.filter(({ isCode }) => !isCode)
  const verbatim = code ? runs.filter(({ isCode }) => isCode) : []
  return [...missingRuns(prose, [read]), ...missingRuns(verbatim, [markdown, read])]
}
