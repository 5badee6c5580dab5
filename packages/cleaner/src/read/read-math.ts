import type { Element, ElementContent } from 'hast'
import { attempt } from '#base/attempt'
import { parseWithParse5 } from '../parse/parse-with-parse5.ts'
import { findBelow, findWithin } from '../tree/below.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { textNode } from '../tree/element.ts'
import { hasClass, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { texOfMathml } from './mathml-tex.ts'

/** Elements that are a formula, by class: of KaTeX, MathJax, MediaWiki, Sphinx and MkDocs. */
const mathClasses = wordsOf(
  `arithmatex katex katex-display math MathJax MathJax_CHTML MathJax_Display MathJax_SVG
  mjx-chtml mwe-math-element`,
)
const displayClasses = wordsOf('katex-display MathJax_Display math-display mwe-math-element-block')
const imageClasses =
  /^(?:math|tex|latex|latex-math|formula|mwe-math-fallback-image-(?:display|inline))$/i
const delimiters = /^(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$([\s\S]*)\$\$|\$([\s\S]*)\$)$/
/** Services that draw the TeX in the address of an image. */
const services =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+\?|render\.githubusercontent\.com\/render\/math\?math=|chart\.(?:googleapis|apis\.google)\.com\/chart\?cht=tx&chl=|\w+\.wp\.com\/latex\.php\?latex=)([^&]+)/
/** Attributes with TeX. */
const sources = ['dataLatex', 'dataTex', 'dataMath', 'dataKatex', 'alttext']
const maxMathml = 100_000

const isMathTag = isTag('img math mjx-container script')
const mathNames = /math|katex|tex$|mjx/i

/** A cheap test that each formula passes: it is asked of every element. */
export function mayBeFormula(element: Element): boolean {
  if (isMathTag(element) || hasClass(element, mathNames)) return true
  for (const name in element.properties)
    if (name.startsWith('data') && sources.includes(name)) return true
  return false
}

/** The TeX of a formula in any supported markup; undefined for anything else. */
export function texOf(element: Element): string | undefined {
  if (!mayBeFormula(element)) return undefined
  const { tagName } = element
  if (tagName === 'script')
    return stringProperty(element, 'type')?.startsWith('math/tex') ? textOf(element) : undefined
  if (tagName === 'img') return texOfImage(element)
  if (!isMathBox(element) && !hasClass(element, mathClasses))
    return sourceIn(element, hasClass(element, mathNames) ? undefined : /[\\^_=+]/)
  return annotation(element) ?? sourceIn(element) ?? delimitedIn(element) ?? drawn(element)
}

/** What a reader hears of a formula whose TeX is unknown; what is drawn may read as another one. */
export function spokenFormula(element: Element): string | undefined {
  const isFormula = isMathBox(element) || hasClass(element, drawnClasses)
  if (!isFormula || !childOf(element)) return undefined
  const spoken =
    stringProperty(element, 'ariaLabel') ?? stringProperty(element, 'dataSemanticSpeech')
  return spoken ? `[formula: ${spoken}]` : '[formula]'
}

export function isDisplayMath(element: Element): boolean {
  const display =
    element.tagName === 'div' ||
    hasClass(element, displayClasses) ||
    ['block', 'true'].includes(stringProperty(element, 'display') ?? '') ||
    (stringProperty(element, 'type')?.includes('mode=display') ?? false)
  return display && texOf(element) !== undefined
}

function texOfImage(element: Element): string | undefined {
  const alt = stringProperty(element, 'alt')?.trim() ?? ''
  const delimited = undelimited(alt)
  if (delimited !== undefined) return delimited
  if (alt && hasClass(element, imageClasses)) return alt
  const [, source] = services.exec(stringProperty(element, 'src') ?? '') ?? []
  return attempt(() => source && decodeURIComponent(source.replaceAll('+', ' ')), source)
}

const opening = /(?<!\\)\\[([]/

/** The body of a text that is a formula between delimiters. */
function undelimited(text: string): string | undefined {
  const [, ...bodies] = delimiters.exec(text) ?? []
  const body = bodies.find((body) => body !== undefined)?.trim()
  // Several formulas are no formula.
  const end = body?.search(/(?<!\\)\\[)\]]/) ?? -1
  return end >= 0 && opening.test(body?.slice(end) ?? '') ? undefined : body
}

function sourceIn(element: Element, form = /./s): string | undefined {
  const values = sources.map((name) => stringProperty(element, name)?.trim() ?? '')
  const source = values.find((value) => form.test(value))
  return source && (undelimited(source) ?? source)
}

/** `<annotation encoding="application/x-tex">`, in the MathML of KaTeX, MediaWiki and others. */
function annotation(element: Element): string | undefined {
  const isSource = (child: Element) =>
    child.tagName === 'annotation' && !!stringProperty(child, 'encoding')?.includes('tex')
  const source = findBelow(element, isSource)
  return source && textOf(source).trim()
}

function delimitedIn(element: Element): string | undefined {
  const text = textOf(element).trim()
  const tex = undelimited(text) ?? undelimited(labelled.exec(textBeside(element).trim())?.[2] ?? '')
  if (tex !== undefined) return tex
  return text.includes('\\') && !opening.test(text) ? text : undefined
}

/** A formula between delimiters, and the text of a label before or after it. */
const labelled =
  /^([^\\$\s]{0,20})\s*(\\\([\s\S]*\\\)|\\\[[\s\S]*\\\]|\$\$[\s\S]*\$\$)\s*([^\\$\s]{0,20})$/

/** The text of an element outside of the elements in it. */
const textBeside = ({ children }: Element): string =>
  children.map((child) => (child.type === 'text' ? child.value : '')).join('')

/** What stands next to the formula of an element: the number of an equation. */
export function labelOf(element: Element): ElementContent[] {
  const [, before = '', tex, after = ''] = labelled.exec(textBeside(element).trim()) ?? []
  if (tex === undefined || undelimited(textOf(element).trim()) !== undefined) return []
  const texts = [before, after].filter((text) => text !== '').map((text) => textNode(text))
  return [...elementsIn(element), ...texts]
}

/** TeX of the MathML of a formula, or of the row of signs that MathJax 3 draws; or plain text. */
function drawn(element: Element): string | undefined {
  const isPlain =
    hasClass(element, drawnClasses) && element.children.every(({ type }) => type === 'text')
  return (
    texIn(findWithin(element, isMathml)) ||
    mathmlProperty(element) ||
    texIn(findBelow(element, isTag('mjx-math'))) ||
    (isPlain ? textOf(element).replace(/\s+/g, ' ').trim() : '') ||
    undefined
  )
}

const texIn = (math: Element | undefined): string | undefined =>
  math && (sourceIn(math) ?? texOfMathml(math))?.trim()

const isMathBox = isTag('math mjx-container')
const isMathml = isTag('math')

/** MathJax 2 has the MathML in an attribute, of itself or of its frame. */
function mathmlProperty(element: Element): string | undefined {
  const owner = findWithin(element, ({ properties }) => properties['dataMathml'] !== undefined)
  const mathml = owner && stringProperty(owner, 'dataMathml')
  if (!mathml || mathml.length > maxMathml) return undefined
  const root = parseWithParse5(mathml, { maxElements: 10_000, checkTime() {} })
  const math = findBelow(root, isMathml)
  return math && texOfMathml(math)?.trim()
}

/** Formulas that are drawn by text or shapes. */
const drawnClasses = wordsOf('katex katex-display MathJax MathJax_CHTML MathJax_SVG mjx-chtml')
