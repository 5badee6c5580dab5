import type { Element, ElementContent } from 'hast'
import { attempt } from '#base/attempt'
import { parseWithParse5 } from '../parse/parse-with-parse5.ts'
import { classesOf, hasClass } from '../tree/classes.ts'
import { textNode } from '../tree/element.ts'
import { findBelow, hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'
import { texOfMathml } from './mathml-tex.ts'

/** Elements that are a formula, by class: of KaTeX, MathJax, MediaWiki, Sphinx and MkDocs. */
const mathClasses = new Set(
  `arithmatex katex katex-display math MathJax MathJax_CHTML MathJax_Display MathJax_SVG
  mjx-chtml mwe-math-element`.split(/\s+/),
)
const displayClasses = new Set(
  'katex-display MathJax_Display math-display mwe-math-element-block'.split(' '),
)
const imageClasses =
  /^(?:math|tex|latex|latex-math|formula|mwe-math-fallback-image-(?:display|inline))$/i
const delimiters = /^(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$([\s\S]*)\$\$|\$([\s\S]*)\$)$/
/** Services that draw the TeX in the address of an image. */
const services =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+\?|render\.githubusercontent\.com\/render\/math\?math=|chart\.(?:googleapis|apis\.google)\.com\/chart\?cht=tx&chl=|\w+\.wp\.com\/latex\.php\?latex=)([^&]+)/
/** Attributes with TeX. */
const sources = ['dataLatex', 'dataTex', 'dataMath', 'dataKatex', 'alttext']
const maxMathml = 100_000

const mathTags = new Set(['img', 'math', 'mjx-container', 'script'])
const mathNames = /math|katex|tex$|mjx/i

const isMathName = (name: string): boolean => mathNames.test(name)

/** A cheap test that each formula passes: it is asked of every element. */
export function mayBeFormula({ tagName, properties }: Element): boolean {
  if (mathTags.has(tagName)) return true
  for (const name in properties)
    if (name === 'className') {
      if ((properties[name] as string[]).some(isMathName)) return true
    } else if (name.startsWith('data') && sources.includes(name)) return true
  return false
}

/** The TeX of a formula in any supported markup; undefined for anything else. */
export function texOf(element: Element): string | undefined {
  if (!mayBeFormula(element)) return undefined
  const { tagName } = element
  if (tagName === 'script')
    return stringProperty(element, 'type')?.startsWith('math/tex') ? textOf(element) : undefined
  if (tagName === 'img') return texOfImage(element)
  const isMath = tagName === 'math' || tagName === 'mjx-container' || hasClass(element, mathClasses)
  if (!isMath)
    return sourceIn(
      element,
      (value) => /[\\^_=+]/.test(value) || classesOf(element).some((name) => mathNames.test(name)),
    )
  return (
    annotation(element) ?? sourceIn(element, () => true) ?? delimitedIn(element) ?? drawn(element)
  )
}

/** What a reader hears of a formula whose TeX is unknown; what is drawn may read as another one. */
export function spokenFormula(element: Element): string | undefined {
  const isFormula =
    ['math', 'mjx-container'].includes(element.tagName) || hasClass(element, drawnClasses)
  if (!isFormula || !hasBelow(element, () => true)) return undefined
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
  if (alt && classesOf(element).some((name) => imageClasses.test(name))) return alt
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

function sourceIn(element: Element, test: (value: string) => boolean): string | undefined {
  for (const name of sources) {
    const value = stringProperty(element, name)?.trim()
    if (value && test(value)) return undelimited(value) ?? value
  }
  return undefined
}

/** `<annotation encoding="application/x-tex">`, in the MathML of KaTeX, MediaWiki and others. */
function annotation(element: Element): string | undefined {
  const source = findBelow(
    element,
    (child) =>
      child.tagName === 'annotation' && !!stringProperty(child, 'encoding')?.includes('tex'),
  )
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
  return [...element.children.filter((child) => child.type === 'element'), ...texts]
}

/** TeX of the MathML of a formula, or of what is drawn. */
function drawn(element: Element): string | undefined {
  const math = element.tagName === 'math' ? element : findBelow(element, isMathml)
  const source = math && (sourceIn(math, () => true) ?? texOfMathml(math))
  return source?.trim() || mathmlProperty(element) || drawnText(element)
}

const isMathml = ({ tagName }: Element): boolean => tagName === 'math'

/** MathJax 2 has the MathML in an attribute, of itself or of its frame. */
function mathmlProperty(element: Element): string | undefined {
  const owner =
    element.properties['dataMathml'] === undefined
      ? findBelow(element, ({ properties }) => properties['dataMathml'] !== undefined)
      : element
  const mathml = owner && stringProperty(owner, 'dataMathml')
  if (!mathml || mathml.length > maxMathml) return undefined
  const root = parseWithParse5(mathml, { maxElements: 10_000, checkTime() {} })
  const math = findBelow(root, isMathml)
  return math && texOfMathml(math)?.trim()
}

/** The row of signs that MathJax 3 draws, or a source that is not drawn yet. */
function drawnText(element: Element): string | undefined {
  const chtml = findBelow(element, ({ tagName }) => tagName === 'mjx-math')
  const source = chtml && (sourceIn(chtml, () => true) ?? texOfMathml(chtml))
  const isPlain =
    hasClass(element, drawnClasses) && element.children.every(({ type }) => type === 'text')
  return source?.trim() || (isPlain ? textOf(element).replace(/\s+/g, ' ').trim() : '') || undefined
}

/** Formulas that are drawn by text or shapes. */
const drawnClasses = new Set(
  'katex katex-display MathJax MathJax_CHTML MathJax_SVG mjx-chtml'.split(' '),
)
