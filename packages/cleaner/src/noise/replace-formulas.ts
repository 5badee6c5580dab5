import type { Element, ElementContent, Root } from 'hast'
import { isDisplayMath, labelOf, mayBeFormula, spokenFormula, texOf } from '../read/read-math.ts'
import { findWithin } from '../tree/below.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { annotate, fragmentOf, hasClass } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { drawnFormulas } from './noise-rules.ts'

const drawn = new Set(drawnFormulas.map((rule) => rule.slice(1)))

/**
 * Replaces formulas by their TeX, or by what they say, before the parts that draw them are removed
 * as noise. A drawn formula next to its source is noise.
 */
export function replaceFormulas(node: Root | Element): void {
  const children = node.children as ElementContent[]
  if (children.some((child) => child.type === 'element' && mayBeFormula(child)))
    node.children = withFormulas(children)
}

function withFormulas(children: readonly ElementContent[]): ElementContent[] {
  const elements = children.filter((child) => isElement(child))
  const hasSource = elements.some(
    (child) => isElement(child, 'script') && texOf(child) !== undefined,
  )
  const hasDrawing = elements.some((child) => hasClass(child, drawn) && !hasClass(child, preview))
  return children.flatMap((child) => {
    if (child.type !== 'element' || !mayBeFormula(child)) return child
    if (hasSource && hasClass(child, drawn)) return child
    // A placeholder of a formula that is not yet rendered.
    if (hasClass(child, preview)) return hasDrawing || isBlank(child) ? child : asContent(child)
    return formulaOf(child) ?? child
  })
}

/** With the number of an equation, which is no part of its formula. */
function formulaOf(formula: Element): ElementContent[] | undefined {
  const tex = texOf(formula)?.trim()
  if (tex) {
    const anchor = findWithin(formula, (node) => fragmentOf(node) !== undefined)
    const { id } = anchor?.properties ?? {}
    const display = isDisplayMath(formula) ? 'block' : undefined
    const math = element('math', [textNode(`$${tex}$`)], { id, alttext: tex, display })
    return [asContent(math), ...labelOf(formula)]
  }
  const spoken = spokenFormula(formula)
  return spoken === undefined ? undefined : [textNode(spoken)]
}

function asContent(element: Element): Element {
  const copy = { ...element }
  annotate(copy, { isContent: true })
  return copy
}

const preview = wordsOf('MathJax_Preview')
