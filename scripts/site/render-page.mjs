import { toText } from 'hast-util-to-text'
import { toString as textOf } from 'mdast-util-to-string'
import rehypeAutolinkHeadings from 'rehype-autolink-headings'
import rehypeHighlight from 'rehype-highlight'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { decorate } from './decorate.mjs'
import { hrefOf } from './resolve-links.mjs'

const parser = unified().use(remarkParse).use(remarkGfm)
const toHtml = unified().use(remarkRehype).use(rehypeSlug)
const finish = unified()
  .use(rehypeHighlight)
  .use(rehypeAutolinkHeadings, {
    behavior: 'append',
    properties: { className: ['headerlink'], ariaHidden: 'true', tabIndex: -1 },
    content: { type: 'text', value: '¶' },
  })
  .use(rehypeStringify)

/**
 * The HTML of a page, its Markdown with links to Markdown, and its entry in lists and the search index.
 * `files` are copied from the repository to the site.
 *
 * @param {string} markdown
 */
export function renderPage(page, markdown, resolveLink) {
  const problems = []
  const files = new Map()
  const tree = parser.parse(markdown)
  const edits = []
  visit(tree, ['link', 'image', 'definition'], (node) => {
    const isImage = node.type === 'image'
    const found = resolveLink(page, node.url, isImage)
    if (found.problem) problems.push(found.problem)
    if (found.asset) files.set(found.path, found.asset)
    const start = markdown.lastIndexOf(node.url, node.position.end.offset)
    if (start >= node.position.start.offset)
      edits.push({ start, end: start + node.url.length, href: hrefOf(page, found, 'md') })
    node.url = hrefOf(page, found, 'html')
    if (isImage && found.asset) inBothThemes(node, found.asset)
  })
  visit(tree, 'html', (node) => {
    if (!/^<!--[\s\S]*-->$/.test(node.value))
      problems.push(
        `${page.source}:${node.position.start.line} has HTML, which the site leaves out`,
      )
    const [, mark] = /^<!-- (\/?tabs(?: [a-z]+)?|cards) -->$/.exec(node.value) ?? []
    if (mark) replaceByMark(node, mark)
  })
  const paragraph = tree.children.find(({ type }) => type === 'paragraph')
  const html = toHtml.runSync(tree)
  const sections = sectionsOf(html)
  if (sections[0].title === '') problems.push(`${page.source} has no heading of the first level`)
  decorate(html)
  return {
    ...page,
    title: sections[0].title || page.path,
    description: firstSentence(paragraph ? textOf(paragraph) : ''),
    sections,
    body: finish.stringify(finish.runSync(html)),
    markdown: withLinks(markdown, edits, (href) => href),
    /** The Markdown with absolute links. @param {URL} base URL of the site. */
    markdownAt: (base) =>
      withLinks(markdown, edits, (href) => new URL(href, new URL(`${page.path}.md`, base)).href),
    files,
    problems,
  }

  /** `x-light.png` and `x-dark.png` are the same picture. */
  function inBothThemes(node, asset) {
    const [light, dark] = ['light', 'dark'].map((theme) => {
      const name = asset.replace(/-(?:light|dark)(?=\.\w+$)/, `-${theme}`)
      return resolveLink(atRoot, name, true)
    })
    if (light.asset === dark.asset || !light.asset || !dark.asset) return
    for (const found of [light, dark]) files.set(found.path, found.asset)
    node.url = hrefOf(page, light, 'html')
    node.data = { hProperties: { dataDark: hrefOf(page, dark, 'html') } }
  }
}

/** A comment has no HTML: a node that has some carries the mark to `arrange`. */
function replaceByMark(node, mark) {
  node.type = 'thematicBreak'
  node.data = { hName: 'div', hProperties: { dataMark: mark } }
}

const atRoot = { source: 'README.md' }

/** One section per heading, with its own text; the first one is the page itself. */
function sectionsOf({ children }) {
  const sections = [{ id: '', title: '', level: 1, nodes: [] }]
  for (const node of children) {
    const level = Number(/^h([1-6])$/.exec(node.tagName ?? '')?.[1] ?? 0)
    if (level === 1 && sections[0].title === '') sections[0].title = toText(node)
    else if (level > 0)
      sections.push({ id: node.properties.id, title: toText(node), level, nodes: [] })
    else sections.at(-1).nodes.push(node)
  }
  return sections.map(({ nodes, ...section }) => ({
    ...section,
    text: toText({ type: 'root', children: nodes }).trim(),
  }))
}

const firstSentence = (text) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return (/^.{20,}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line).replace(/:$/, '.')
}

const withLinks = (text, edits, linkTo) =>
  edits
    .sort((a, b) => b.start - a.start)
    .reduce(
      (left, { start, end, href }) => left.slice(0, start) + linkTo(href) + left.slice(end),
      text,
    )
