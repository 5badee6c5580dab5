// What a page says, read from its HTML by the selectors of the corpus and nothing of ours.
import { selectAll } from 'css-select'
import { getElementsByTagName, removeElement } from 'domutils'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'

/** Never content, whatever the generator. */
const everywhere = `script, style, noscript, template, svg, button, nav, .headerlink, .permalink,
  .hash-link, .anchorjs-link, .viewcode-link, .listing_lines, .linenos, .lineno, .copybtn, [hidden]:not([role=tabpanel])`

const isText = (node) => node.type === 'text'
const isTag = (node) => Array.isArray(node.children)

const blocks = new Set(
  `address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tbody td tfoot th
  thead tr ul`.split(/\s+/),
)

export function truthOf(html, { content, remove }) {
  const document = parse(html, { treeAdapter: adapter, scriptingEnabled: false })
  for (const node of selectAll([everywhere, remove].filter(Boolean).join(', '), document))
    removeElement(node)
  const all = selectAll(content, document)
  const roots = all.filter((node) => !all.some((other) => other !== node && contains(other, node)))
  if (roots.length === 0) throw new Error(`nothing matches ${content}`)
  const inside = (...names) =>
    names.flatMap((name) =>
      roots.flatMap((root) =>
        [root, ...getElementsByTagName(name, root.children)].filter((node) => node.name === name),
      ),
    )
  return {
    text: roots.map(textOf).join('\n'),
    headings: inside('h1', 'h2', 'h3', 'h4', 'h5', 'h6')
      .filter((node) => !isInAdmonition(node))
      .map(lineOf)
      .filter(Boolean),
    code: inside('pre')
      .filter((pre) => getElementsByTagName('pre', pre.children).length === 0)
      .map((pre) => ({ text: codeOf(pre), language: languageOf(pre) }))
      .filter(({ text }) => text.trim() !== ''),
    rows: inside('table').filter(isData).flatMap(rowsOf),
    terms: inside('dt')
      .filter((term) => getElementsByTagName('pre', term.children).length === 0)
      .map(lineOf)
      .filter(Boolean),
    nested: inside('li')
      .filter(
        (item) =>
          closest(item.parent, 'li') &&
          !holdsHeading(item) &&
          !holdsHeading(closest(item.parent, 'li')),
      )
      .map(ownLine)
      .filter(Boolean),
    latex: [
      ...inside('span', 'div')
        .filter((node) => hasClass(node, 'math'))
        .map((node) => rawText(node)),
      ...inside('annotation').map(rawText),
    ]
      .map((text) => text.trim())
      .filter((text) => text.includes('\\')),
  }
}

function contains(outer, inner) {
  for (let node = inner.parent; node; node = node.parent) if (node === outer) return true
  return false
}

function closest(node, name) {
  for (let next = node; next; next = next.parent) if (next.name === name) return next
}

const hasClass = (node, name) => (node.attribs?.class ?? '').split(/\s+/).includes(name)

export function textOf(node) {
  if (isText(node)) return node.data
  if (!isTag(node)) return ''
  // What an image says to those who do not see it; a single word is a file name or decoration.
  if (node.name === 'img')
    return /\s/.test(node.attribs.alt?.trim() ?? '') ? ` ${node.attribs.alt} ` : ''
  const inner = node.children.map(textOf).join('')
  // A mark of rustdoc stands apart from the name before it by its style alone.
  if (hasClass(node, 'stab')) return ` ${inner}`
  return blocks.has(node.name) ? `\n${inner}\n` : inner
}

/** A list of sections is no list of items. */
const holdsHeading = (item) =>
  getElementsByTagName((name) => /^h[1-6]$/.test(name), item.children).length > 0

/** DocBook writes «Note» as a heading; it is the kind of a box, not a part of the page. */
const isInAdmonition = ({ parent }) =>
  ['note', 'tip', 'warning', 'caution', 'important'].some((name) => hasClass(parent, name))

function rawText(node) {
  return isText(node) ? node.data : isTag(node) ? node.children.map(rawText).join('') : ''
}

const lineOf = (node) => textOf(node).replace(/\s+/g, ' ').trim()

/** The text of an item without the lists in it. */
function ownLine(item) {
  const parts = item.children.filter(
    (child) => !['ul', 'ol', 'dl', 'pre', 'div', 'table'].includes(child.name),
  )
  return parts.map(textOf).join('').replace(/\s+/g, ' ').trim()
}

/** The lines of a code block, as a browser shows them. */
function codeOf(pre) {
  let text = ''
  const write = (node) => {
    if (isText(node)) text += node.data
    else if (node.name === 'br') text += '\n'
    else if (isTag(node)) node.children.forEach(write)
  }
  write(pre)
  return text.replaceAll('\u00a0', ' ').replace(/^\n/, '').trimEnd()
}

const languagePattern =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+|source-|listingblock\s)([\w+#.-]+)/
const noLanguage = new Set(['default', 'none', 'text', 'notranslate', 'plaintext'])

function languageOf(pre) {
  const names = []
  for (let node = pre, up = 0; node && up < 3; node = node.parent, up++)
    names.push(node.attribs?.class ?? '')
  for (const child of pre.children)
    if (child.name === 'code') names.unshift(child.attribs?.class ?? '')
  for (const name of names) {
    const found = languagePattern.exec(name)?.[1]?.toLowerCase()
    if (found && !noLanguage.has(found)) return found
  }
}

/** More than one column, and no table, list of terms or heading in its cells. */
function isData(table) {
  if (isInAdmonition(table)) return false
  if (['presentation', 'none'].includes(table.attribs.role)) return false
  if (
    getElementsByTagName(
      (name) => ['table', 'dl', 'h1', 'h2', 'h3', 'h4', 'pre'].includes(name),
      table.children,
    ).length > 0
  )
    return false
  return rowsOf(table).some((row) => row.length > 1)
}

function rowsOf(table) {
  return getElementsByTagName('tr', table.children)
    .map((row) =>
      row.children.filter((cell) => cell.name === 'td' || cell.name === 'th').map(lineOf),
    )
    .filter((row) => row.length > 1 && row.some(Boolean))
}
