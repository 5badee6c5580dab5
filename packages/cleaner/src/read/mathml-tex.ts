import type { Element, Nodes } from 'hast'
import { childOf, elementsIn } from '../tree/children.ts'
import { isElement } from '../tree/element.ts'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { byWord, wordsOf } from '../tree/word-lists.ts'
import { accents, isOperator, notations, overs, unders, variants } from './tex-signs.ts'

/** Writes an element, from the TeX of its children. */
type Writer = (parts: readonly string[], element: Element) => string

/**
 * TeX of MathML, and of rows of signs as MathJax draws them, whose elements have the same names
 * after `mjx-`. Signs without a simple name in TeX stay as they are. Undefined if an element has no
 * equal in TeX: another formula is worse than none.
 */
export function texOfMathml(node: Nodes): string | undefined {
  const tex = write(node)
  return tex.includes(unwritten) ? undefined : tex
}

/** A character that is in no formula. */
const unwritten = '\uffff'

function write(node: Nodes): string {
  if (!isElement(node)) return ''
  const writer = node.tagName.startsWith('mjx-')
    ? drawn.get(node.tagName.slice(4))
    : writers.get(node.tagName)
  if (!writer) return unwritten
  const tex = writer(elementsIn(node).map(write), node)
  const variant =
    variants[stringProperty(node, 'mathVariant') ?? stringProperty(node, 'mathvariant') ?? '']
  return variant && tex !== '' ? `${variant}${group(tex)}` : tex
}

const group = (tex = ''): string => `{${tex}}`
/** What a script is set to: one sign, or a group. */
const base = (tex = ''): string => (/^(?:.|\\[A-Za-z]+)$/u.test(tex) ? tex : group(tex))
const isOne = (tex: string): boolean => /^(?:\\?.|\\[A-Za-z]+|\\\w+\{.\})$/u.test(tex)

/** A row; a fence around a fraction without a line or around a table belongs to it. */
const inRow: Writer = (parts) => {
  let tex = ''
  for (let at = 0; at < parts.length; at++) {
    const [open, part, close] = parts.slice(at) as [string, string?, string?]
    const fenced = fence(open, part, close)
    if (fenced) at += fenced.width - 1
    const next = fenced?.tex ?? (open === '^' || open === '~' ? `\\text${group(open)}` : open)
    // A command ends before the next letter.
    tex += /\\[A-Za-z]+$/.test(tex) && /^[A-Za-z]/.test(next) ? ` ${next}` : next
  }
  return tex
}

const atop = '\\genfrac{}{}{0pt}{}'
const matrix = /^\\begin\{matrix\}([\s\S]*)\\end\{matrix\}$/
const environments: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '\\{\\}': 'Bmatrix',
  '||': 'vmatrix',
  '‖‖': 'Vmatrix',
  '\\{': 'cases',
}

/** `width`: the number of parts. */
function fence(open: string, part = '', close = ''): { tex: string; width: number } | undefined {
  if (open === '(' && close === ')' && part.startsWith(atop))
    return { tex: `\\binom${part.slice(atop.length)}`, width: 3 }
  const [, rows] = matrix.exec(part) ?? []
  if (rows === undefined) return undefined
  const pair = environments[open + close]
  const name = pair ?? (close === '' ? environments[open] : undefined)
  return name
    ? { tex: `\\begin{${name}}${rows}\\end{${name}}`, width: pair && close !== '' ? 3 : 2 }
    : undefined
}

const scripts =
  (...signs: readonly string[]): Writer =>
  ([of, ...parts]) =>
    base(of) + parts.map((part, at) => `${signs[at] ?? ''}${group(part)}`).join('')

/** Below and above: limits of an operator, accents, or signs of their own. */
const around =
  (...places: readonly ('_' | '^')[]): Writer =>
  ([of = '', ...parts], element) => {
    const first = childOf(element)
    const movable = first && stringProperty(first, 'movablelimits')
    return parts.reduce((tex, part, at) => {
      const place = places[at] ?? '^'
      const [narrow, wide] = (place === '^' ? overs : unders)[accents.get(part) ?? part] ?? []
      if (narrow && !/^[→←]$/.test(tex))
        return (isOne(tex) ? narrow : (wide ?? narrow)) + group(tex)
      const takesLimits =
        movable === 'true' ||
        isOperator.test(of) ||
        tex.startsWith(place === '^' ? '\\overbrace' : '\\underbrace')
      if (takesLimits) return `${at === 0 ? limited(tex) : tex}${place}${group(part)}`
      return `${place === '^' ? '\\overset' : '\\underset'}${group(part)}${group(tex)}`
    }, of)
  }
const limited = (tex: string): string => (/^\\\w+\{.*\}$/.test(tex) ? tex : base(tex))

const multiscripts: Writer = (parts, element) => {
  const before = elementsIn(element).findIndex(isTag('mprescripts'))
  const paired = (list: readonly string[]): string =>
    list
      .map((part, at) => {
        const sign = at % 2 === 0 ? '_' : '^'
        return (at > 0 && sign === '_' ? '{}' : '') + (part === '' ? '' : sign + group(part))
      })
      .join('')
  const prescripts = before < 0 ? '' : `{}${paired(parts.slice(before + 1))}`
  return prescripts + base(parts[0]) + paired(parts.slice(1, before < 0 ? undefined : before))
}

const fraction: Writer = ([above, below], element) => {
  const thickness = stringProperty(element, 'linethickness') ?? ''
  const command = /^0+(?:\.0*)?(?:[a-z]+|%)?$/.test(thickness) ? atop : '\\frac'
  return `${command}${group(above)}${group(below)}`
}

const enclosed: Writer = (parts, element) => {
  const names = new Set((stringProperty(element, 'notation') ?? 'longdiv').split(/\s+/))
  const isCross = names.has('updiagonalstrike') && names.delete('downdiagonalstrike')
  if (isCross) names.delete('updiagonalstrike')
  const inner = isCross ? `\\xcancel${group(inRow(parts, element))}` : inRow(parts, element)
  return [...names]
    .filter(Boolean)
    .reduce((tex, name) => `${notations[name] ?? `\\enclose${group(name)}`}${group(tex)}`, inner)
}

/** Characters that stand for a letter in italics, which every letter in TeX is. */
const italics = /[\u{1d434}-\u{1d467}\u{1d6e2}-\u{1d71b}\u210e]/gu

const leaf: Writer = (_parts, element) =>
  signsOf(element)
    .trim()
    .replace(italics, (letter) => letter.normalize('NFKC'))
    .replace(/[\u2061-\u2064]/g, '')
    .replace(/\\/g, '\\backslash ')
    .replace(/[%#&{}_$]/g, '\\$&')
    .replace(/[\^~]/g, '\\text{$&}')

/** An accent is looked up as it is: as text, `^` and `~` are other signs. */
const operator: Writer = (parts, element) => {
  const sign = signsOf(element).trim()
  return accents.has(sign) || sign === '^' || sign === '~' ? sign : leaf(parts, element)
}

const identifier: Writer = (parts, element) => {
  const name = leaf(parts, element)
  if (functions.has(name)) return `\\${name}`
  return /^\p{L}{2,}$/u.test(name) ? `\\mathrm${group(name)}` : name
}
const functions = wordsOf(
  'arccos arcsin arctan cos cosh cot det dim exp gcd inf ker lim ln log max min sin sinh sup tan tanh',
)

/** Text, or the characters that MathJax draws by classes: `mjx-c1D465`. */
function signsOf(element: Element): string {
  const text = textOf(element)
  if (text.trim() !== '') return text
  return element.children
    .map((child) => {
      if (!isElement(child)) return ''
      const [, code] = /^mjx-c([\dA-F]+)$/.exec(classesOf(child)[0] ?? '') ?? []
      return code === undefined ? unwritten : String.fromCodePoint(Number.parseInt(code, 16))
    })
    .join('')
}

const quotedText = (text: string): string => `\\text${group(text.replace(/\s+/g, ' '))}`

const table: Writer = (parts, element) => {
  const rows = parts.join(' \\\\ ')
  if (parts.length === 1 && !rows.includes(' & ') && rows.includes('\\tag')) return rows
  const [lines, align] = ['columnlines', 'columnalign'].map((name) => stringProperty(element, name))
  if (lines && /solid|dashed/.test(lines)) {
    const marks = lines.split(/\s+/)
    const count = Math.max(0, ...parts.map((row) => row.split(' & ').length))
    const columns = Array.from({ length: count }, (_, at) => {
      const mark = marks[at] ?? marks.at(-1)
      return at < count - 1 && mark !== 'none' ? 'c|' : 'c'
    })
    return `\\begin{array}${group(columns.join(''))}${rows}\\end{array}`
  }
  const name = align && /^right left/.test(align) ? 'aligned' : 'matrix'
  return `\\begin{${name}}${rows}\\end{${name}}`
}

const labelledRow: Writer = ([label = '', ...parts]) => {
  const [, number] = /^\\text\{\((.*)\)\}$/.exec(label) ?? []
  return `${parts.join(' & ')} \\tag${number === undefined ? '*' : ''}${group(number ?? label)}`
}

const fencedList: Writer = (parts, element) => {
  // The parser knows `open` as a property without a value.
  if (element.properties['open'] === true) return unwritten
  const separators = (stringProperty(element, 'separators') ?? ',').replace(/\s+/g, '')
  const sign = (name: string, usual: string): string =>
    (stringProperty(element, name) ?? usual).trim().replace(/[{}]/g, '\\$&')
  const inner = parts
    .map((part, at) =>
      at === 0 ? part : `${separators[at - 1] ?? separators.at(-1) ?? ''} ${part}`,
    )
    .join('')
  return inRow([sign('open', '('), inner, sign('close', ')')], element)
}

const writers: ReadonlyMap<string, Writer> = byWord<Writer>([
  ['math mrow mstyle mpadded merror mtd', inRow],
  ['annotation annotation-xml malignmark maligngroup mphantom mprescripts none', () => ''],
  ['semantics', ([first = '']) => first],
  [
    'maction',
    (parts, element) => parts[Number(stringProperty(element, 'selection') ?? 1) - 1] ?? '',
  ],
  ['mi', identifier],
  ['mn', leaf],
  ['mo', operator],
  [
    'ms',
    (_parts, element) => {
      const [open = '"', close = '"'] = ['lquote', 'rquote'].map((name) =>
        stringProperty(element, name),
      )
      return quotedText(open + textOf(element) + close)
    },
  ],
  ['mtext', (_parts, element) => quotedText(signsOf(element))],
  ['mspace', () => ' '],
  ['mfrac', fraction],
  ['msqrt', (parts, element) => `\\sqrt${group(inRow(parts, element))}`],
  ['mroot', ([of, index]) => `\\sqrt[${index}]${group(of)}`],
  ['menclose', enclosed],
  ['msub', scripts('_')],
  ['msup', scripts('^')],
  ['msubsup', scripts('_', '^')],
  ['munder', around('_')],
  ['mover', around('^')],
  ['munderover', around('_', '^')],
  ['mmultiscripts', multiscripts],
  ['mtable', table],
  [
    'mtr',
    (parts, element) => (elementsIn(element).some(isSpanning) ? unwritten : parts.join(' & ')),
  ],
  ['mlabeledtr', labelledRow],
  ['mfenced', fencedList],
])

const isSpanning = ({ properties }: Element): boolean =>
  ['columnspan', 'rowSpan', 'rowspan'].some((name) => Number(properties[name] ?? 1) > 1)

/** Only what is drawn as a row of signs is certain: scripts and fractions are drawn by style. */
const drawn = byWord<Writer>([
  ['math mrow mstyle texatom', inRow],
  ['mn mo', leaf],
  ['mi', identifier],
])
