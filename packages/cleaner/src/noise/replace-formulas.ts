import type { Element, ElementContent, Root } from 'hast'
import { isDisplayMath, labelOf, mayBeFormula, spokenFormula, texOf } from '../read/read-math.ts'
import { classesOf } from '../tree/classes.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { findBelow } from '../tree/has-below.ts'
import { annotate, fragmentOf } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'
import { drawnFormulas } from './noise-rules.ts'

const drawn: ReadonlySet<string> = new Set(drawnFormulas)

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
  const hasSource = children.some(
    (child) => isElement(child, 'script') && texOf(child) !== undefined,
  )
  const hasDrawing = children.some(
    (child) => isElement(child) && isDrawn(child) && !isPreview(child),
  )
  return children.flatMap((child) => {
    if (child.type !== 'element' || !mayBeFormula(child)) return child
    if (hasSource && isDrawn(child)) return child
    // A placeholder of a formula that is not yet rendered.
    if (isPreview(child)) return hasDrawing || !/\S/.test(textOf(child)) ? child : asContent(child)
    return formulaOf(child) ?? child
  })
}

/** With the number of an equation, which is no part of its formula. */
function formulaOf(formula: Element): ElementContent[] | undefined {
  const tex = texOf(formula)?.trim()
  if (tex) {
    const { id } =
      (fragmentOf(formula) ? formula : findBelow(formula, (one) => fragmentOf(one) !== undefined))
        ?.properties ?? {}
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

const isPreview = (element: Element): boolean => classesOf(element).includes('MathJax_Preview')

const isDrawn = (element: Element): boolean =>
  classesOf(element).some((name) => drawn.has(`.${name}`))
