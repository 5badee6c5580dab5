import type { Element } from 'hast'
import type { Handle } from 'hast-util-to-mdast'
import type { Math as DisplayMath, InlineMath } from 'mdast-util-math'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkStringify from 'remark-stringify'
import type { Preset } from 'unified'
import { type PlainOptions, rehypePlain } from '../plain/rehype-plain.ts'
import { classesOf, hasClass } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'

/**
 * The standard way from hast to Markdown behind the steps of the cleaner: `rehypePlain`,
 * rehype-remark, remark-gfm, remark-math, remark-stringify. For those who work with mdast; the
 * blocks of `rehypeMarkdown` say the same in less time.
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

/** A line of a cell ends with a tag, which is all GFM has for it. */
const lineBreak: Handle = (state, element: Element, parent) => {
  if (state.inTable) return { type: 'html', value: '<br>' }
  const said = (parent?.children ?? []).filter(
    (node) => node.type !== 'text' || /\S/.test(node.value),
  )
  const at = said.indexOf(element)
  const next = said[at + 1]
  // At either end, and before another one, it breaks nothing.
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

/** As `rehypePlain` leaves it. */
function languageOf(code: Element): string | null {
  const [name] = classesOf(code)
  return name?.startsWith('language-') ? name.slice('language-'.length) : null
}
