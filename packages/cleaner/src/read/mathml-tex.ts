import type { Element, Nodes } from 'hast'
import { classesOf, isElement, stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'

/** Writes the children of an element. */
type Writer = (children: readonly Element[], element: Element) => string

/**
 * TeX of MathML, and of what MathJax draws instead of it, whose elements have the same names after
 * `mjx-`. Signs without a simple name in TeX stay as they are.
 */
export function texOfMathml(node: Nodes): string {
  if (!isElement(node)) return ''
  const name = node.tagName.replace(/^mjx-/, '')
  const children = node.children.filter((child) => isElement(child)) as Element[]
  return (writers[name] ?? inRow)(children, node)
}

const inRow: Writer = (children) => {
  let tex = ''
  // A command ends before the next letter.
  for (const part of children.map(texOfMathml))
    tex += /\\[A-Za-z]+$/.test(tex) && /^[A-Za-z]/.test(part) ? ` ${part}` : part
  return tex
}

/** The parts of a script or a fraction: MathJax wraps some of them. */
const partsOf = (children: readonly Element[]): string[] =>
  children.map(texOfMathml).filter(Boolean)

const group = (tex = ''): string => `{${tex}}`
/** What a script is set to: one sign, or a group. */
const base = (tex = ''): string => (/^(?:.|\\[A-Za-z]+)$/u.test(tex) ? tex : group(tex))

const scripts =
  (...signs: readonly string[]): Writer =>
  (children) => {
    const [of, ...parts] = partsOf(children)
    return base(of) + parts.map((part, at) => `${signs[at] ?? ''}${group(part)}`).join('')
  }

const sub = scripts('_', '^')
const sup = scripts('^')
const over: Writer = (children) => {
  const [of = '', accent = ''] = partsOf(children)
  const command = accents[accent]
  return command ? `${command}${group(of)}` : `${base(of)}^${group(accent)}`
}
const accents: Readonly<Record<string, string>> = {
  '¯': '\\bar',
  '‾': '\\bar',
  '^': '\\hat',
  '˙': '\\dot',
  '~': '\\tilde',
  '→': '\\vec',
}

const fraction: Writer = (children) => {
  // MathJax: `mjx-frac` with `mjx-num` and `mjx-den` at any depth.
  const [above, below] = partsOf(children)
  return below === undefined ? (above ?? '') : `\\frac${group(above)}${group(below)}`
}

const leaf: Writer = (_children, element) => {
  const text = signsOf(element).normalize('NFKC').trim()
  return text.replace(/[\u2061-\u2064]/g, '').replace(/[%#&{}_$]/g, '\\$&')
}

const identifier: Writer = (children, element) => {
  const name = leaf(children, element)
  if (/^(?:[a-z]{3,}|ln)$/.test(name) && functions.has(name)) return `\\${name}`
  return /^\p{L}{2,}$/u.test(name) ? `\\mathrm${group(name)}` : name
}
const functions = new Set(
  'arccos arcsin arctan cos cosh cot det dim exp gcd inf ker lim ln log max min sin sinh sup tan tanh'.split(
    ' ',
  ),
)

/** Text, or the characters that MathJax draws by classes: `mjx-c1D465`. */
function signsOf(element: Element): string {
  const text = textOf(element)
  if (text.trim() !== '') return text
  return element.children
    .map((child) => {
      if (!isElement(child)) return ''
      const [, code] = /^mjx-c([\dA-F]+)$/.exec(classesOf(child)[0] ?? '') ?? []
      return code === undefined ? signsOf(child) : String.fromCodePoint(Number.parseInt(code, 16))
    })
    .join('')
}

const rowOf: Writer = (children) => children.map(texOfMathml).join(' & ')

const writers: Readonly<Record<string, Writer>> = {
  annotation: () => '',
  'annotation-xml': () => '',
  mphantom: () => '',
  'assistive-mml': () => '',
  mi: identifier,
  mn: leaf,
  mo: leaf,
  ms: leaf,
  mtext: (_children, element) => `\\text${group(signsOf(element).replace(/\s+/g, ' '))}`,
  mspace: () => ' ',
  mfrac: fraction,
  msqrt: (children) => `\\sqrt${group(inRow(children, children[0] as Element))}`,
  mroot: (children) => {
    const [of, index] = partsOf(children)
    return `\\sqrt[${index}]${group(of)}`
  },
  msub: sub,
  msup: sup,
  msubsup: sub,
  munder: sub,
  mover: over,
  munderover: sub,
  mtable: (children) => `\\begin{matrix}${children.map(texOfMathml).join(' \\\\ ')}\\end{matrix}`,
  mtr: rowOf,
  mlabeledtr: rowOf,
  mfenced: (children, element) => {
    const open = stringProperty(element, 'open') ?? '('
    const close = stringProperty(element, 'close') ?? ')'
    return `${open}${children.map(texOfMathml).join(', ')}${close}`
  },
}
