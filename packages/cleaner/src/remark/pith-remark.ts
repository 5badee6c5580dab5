import type { Element, Root as HastRoot } from 'hast'
import type { Handle } from 'hast-util-to-mdast'
import type { Data, Heading, Root as MdastRoot, Paragraph, PhrasingContent } from 'mdast'
import type { Math as DisplayMath, InlineMath } from 'mdast-util-math'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { type Plugin, unified } from 'unified'
import { linkBase } from '../read/read-inline.ts'
import { findBlockHolders } from '../tree/boxes.ts'
import { classesOf, hasClass, stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'
import type { Context } from './context.ts'
import { plainFlow } from './flow.ts'

declare module 'mdast' {
  interface Data {
    /** The fragment of a heading or term. */
    id?: string
  }
}

/** Options of {@link pithRemark}. */
export interface PithRemarkOptions {
  /** `text`: a link becomes its text (default). `keep`: it stays a link. */
  links?: 'text' | 'keep'
  /** Base of relative links; only used with `links: 'keep'`. */
  url?: string
}

/**
 * Unified plugin: the cleaned hast of `pithClean` to mdast, by rehype-remark. Headings and terms have
 * their fragment as `data.id`; formulas, tables and struck text are nodes of remark-math and
 * remark-gfm. Sets how remark-stringify writes; its own options win.
 */
export const pithRemark: Plugin<[PithRemarkOptions?], HastRoot, MdastRoot> = function (
  options = {},
) {
  remarkGfm.call(this as never, { tablePipeAlign: false, tableCellPadding: false })
  remarkMath.call(this as never)
  this.data('settings', { ...settings, ...this.data('settings') })
  const toMdast = unified().use(rehypePlain, options).use(rehypeRemark, { handlers }).freeze()
  return (tree, file) => toMdast.runSync(tree, file)
}

/**
 * Convert documentation markup into plain HTML: admonitions to quotations, code with its language
 * to `pre > code.language-x`, layout tables to their content, definition lists to paragraphs,
 * formulas to `code.math-inline` and `code.math-display`. Every HTML tool understands the result.
 */
const rehypePlain: Plugin<[PithRemarkOptions?], HastRoot> = (options) => (root, file) => {
  const context: Context = {
    links: options?.links ?? 'text',
    url: linkBase(file.data.pageFacts?.base, options?.url),
    language: undefined,
    blockHolders: findBlockHolders(root),
    flow: plainFlow,
  }
  root.children = plainFlow(root.children, context) as HastRoot['children']
}

/** Of remark-stringify. */
const settings = { bullet: '-', rule: '-', fence: '`', listItemIndent: 'one' } as const

const heading: Handle = (state, element: Element) =>
  withId(element, {
    type: 'heading',
    depth: Number(element.tagName.slice(1)) as Heading['depth'],
    children: state.all(element) as PhrasingContent[],
  })

const paragraph: Handle = (state, element: Element) => {
  const children = state.all(element) as PhrasingContent[]
  return children.length > 0 ? withId(element, { type: 'paragraph', children }) : undefined
}

/** `data.id` for readers of mdast; remark-rehype makes an `id` of the properties. */
function withId<Node extends Heading | Paragraph>(element: Element, node: Node): Node {
  const id = stringProperty(element, 'id')
  const data = { id, hProperties: { id } } as Data
  return id === undefined ? node : { ...node, data }
}

const inlineMath = new Set(['math-inline'])
const displayMath = new Set(['math-display'])

/** In a table cell a line break is a `<br>`, the only form that GFM has. */
const lineBreak: Handle = (state, element: Element, parent) => {
  if (state.inTable) return { type: 'html', value: '<br>' }
  const visible = (parent?.children ?? []).filter(
    (node) => node.type !== 'text' || /\S/.test(node.value),
  )
  const at = visible.indexOf(element)
  const next = visible[at + 1]
  // A break at either end, or before another one, has no effect.
  const isIdle = at === 0 || !next || (next.type === 'element' && next.tagName === 'br')
  return isIdle ? undefined : { type: 'text', value: '\n' }
}

const inlineCode: Handle = (_state, element: Element) => {
  const value = textOf(element)
  const formula: InlineMath = { type: 'inlineMath', value }
  return hasClass(element, inlineMath) ? formula : { type: 'inlineCode', value }
}

const codeBlock: Handle = (_state, { children: [code] }: Element) => {
  if (code?.type !== 'element') return undefined
  const value = textOf(code).replace(/\n$/, '')
  const formula: DisplayMath = { type: 'math', value }
  return hasClass(code, displayMath) ? formula : { type: 'code', lang: languageOf(code), value }
}

/** In the form that `rehypePlain` writes. */
function languageOf(code: Element): string | null {
  const [name] = classesOf(code)
  return name?.startsWith('language-') ? name.slice('language-'.length) : null
}

const handlers: Record<string, Handle> = {
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading])),
  br: lineBreak,
  code: inlineCode,
  p: paragraph,
  pre: codeBlock,
}
