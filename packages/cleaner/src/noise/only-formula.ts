import type { Element, ElementContent, Root } from 'hast'
import { classesOf, isElement, stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'
import type { NoiseReason } from './noise-reason.ts'
import { drawnFormulas } from './noise-rules.ts'

const drawn: ReadonlySet<string> = new Set(drawnFormulas)
/** Placeholder of a formula that is not yet rendered. */
const preview = '.MathJax_Preview'

/**
 * A rendered formula is noise next to its source. Without a source, it is replaced by its MathML,
 * or kept.
 */
export function keepOnlyFormulas(node: Root | Element, noiseReason: NoiseReason): void {
  if (!node.children.some((child) => child.type === 'element' && isDrawn(child))) return
  const children = node.children as ElementContent[]
  const hasSource = children.some((child) => child.type === 'element' && isSource(child))
  if (hasSource) return
  const isDrawnElsewhere = children.some(
    (child) => child.type === 'element' && ruleOf(child) !== undefined && ruleOf(child) !== preview,
  )
  node.children = children.map((child) => {
    if (child.type !== 'element') return child
    const rule = ruleOf(child)
    if (rule === undefined || (rule === preview && isDrawnElsewhere)) return child
    const formula = mathIn(child) ?? child
    if (!isDescribed(formula)) return child
    formula.data = { ...formula.data, isContent: true }
    return formula
  })

  function ruleOf(element: Element): string | undefined {
    const reason = isDrawn(element) ? noiseReason(element) : undefined
    return reason !== undefined && drawn.has(reason) ? reason : undefined
  }
}

const isDrawn = (element: Element): boolean =>
  classesOf(element).some((name) => drawn.has(`.${name}`))

/** TeX in a script, or MathML that is not part of a rendering. */
function isSource(element: Element): boolean {
  if (element.tagName === 'script')
    return stringProperty(element, 'type')?.startsWith('math/') ?? false
  return element.tagName === 'math' || mathIn(element, isDrawn) !== undefined
}

const isDescribed = (element: Element): boolean =>
  element.tagName === 'img' || /\S/.test(textOf(element))

/** The first MathML formula in an element, outside of omitted parts. */
function mathIn(element: Element, isLeftOut?: (element: Element) => boolean): Element | undefined {
  if (isLeftOut?.(element)) return undefined
  for (const child of element.children) {
    if (child.type !== 'element') continue
    const math = isElement(child, 'math') ? child : mathIn(child, isLeftOut)
    if (math) return math
  }
  return undefined
}
