import type { Element } from 'hast'
import { findBelow } from '../tree/has-below.ts'
import { hasClass, stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'

const mathClasses = new Set(['math', 'arithmatex', 'katex', 'katex-display', 'mwe-math-element'])
const imageClasses = new Set([
  'math',
  'mwe-math-fallback-image-display',
  'mwe-math-fallback-image-inline',
])
const displayClasses = new Set(['katex-display', 'mwe-math-element-block'])
const delimiters = /^(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$([\s\S]*)\$\$|\$([\s\S]*)\$)$/

/** The TeX of a formula in any supported markup; undefined for anything else. */
export function texOf(element: Element): string | undefined {
  if (element.tagName === 'script')
    return stringProperty(element, 'type')?.startsWith('math/tex') ? textOf(element) : undefined
  if (element.tagName === 'img')
    return hasClass(element, imageClasses) ? stringProperty(element, 'alt') : undefined
  if (element.tagName !== 'math' && !hasClass(element, mathClasses)) return undefined
  const annotated = annotation(element)
  if (annotated !== undefined) return annotated
  const text = textOf(element).trim()
  const [, ...bodies] = delimiters.exec(text) ?? []
  const delimited = bodies.find((body) => body !== undefined)?.trim()
  return delimited ?? (text.includes('\\') ? text : undefined)
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

export function isDisplayMath(element: Element): boolean {
  const display =
    element.tagName === 'div' ||
    hasClass(element, displayClasses) ||
    stringProperty(element, 'display') === 'block' ||
    (stringProperty(element, 'type')?.includes('mode=display') ?? false)
  return display && texOf(element) !== undefined
}
