import type { Element } from 'hast'
import type { Handle } from 'hast-util-to-mdast'
import type { Math as DisplayMath, InlineMath } from 'mdast-util-math'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkStringify from 'remark-stringify'
import type { Preset } from 'unified'
import { classesOf, hasClass } from '../../src/tree/properties.ts'
import { textOf } from '../../src/tree/text-of.ts'
import { type PlainOptions, rehypePlain } from './rehype-plain.ts'

/**
 * The standard pipeline from hast to Markdown after the steps of the cleaner: `rehypePlain`,
 * rehype-remark, remark-gfm, remark-math, remark-stringify. For use with mdast; `rehypeMarkdown`
 * produces equivalent blocks faster.
 */
export function remarkPreset(options: PlainOptions = {}): Preset {
  return {
    plugins: [
      [rehypePlain, options],
      [rehypeRemark, { handlers: { br: lineBreak, code: inlineCode, pre: codeBlock } }],
      [remarkGfm, { tablePipeAlign: false, tableCellPadding: false }],
      remarkMath,
      [remarkStringify, { bullet: '-', rule: '-', fence: '`', listItemIndent: 'one' }],
    ],
  }
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
