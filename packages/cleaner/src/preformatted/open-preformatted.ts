import type { Element, Root } from 'hast'
import { isCodeBox, languageOf } from '../read/read-code.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { hasBelow } from '../tree/below.ts'
import { elementsIn } from '../tree/children.ts'
import { hasClass } from '../tree/properties.ts'
import { textLength } from '../tree/short-text.ts'
import { isBlock, isHeading, isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { layOut } from './lay-out.ts'
import { linesOf } from './lines-of.ts'
import { isManual } from './prose.ts'

/**
 * Give a manual that is rendered as preformatted text headings, paragraphs and lists. Takes linear
 * time.
 */
export function openPreformatted(root: Root, isNoise: RuleTest): void {
  const pres: Preformatted[] = []
  let level = 1
  let isBelowTitle = false
  search(root)
  const texts = pres
    .filter(({ pre }) => isPlain(pre) && !isHighlighted(pre))
    .map((text) => ({ ...text, lines: linesOf(text.pre, isNoise) }))
  if (!isMost(texts, root) || !isManual(texts.flatMap(({ lines }) => lines))) return
  for (const { pre, lines, level } of texts)
    Object.assign(pre, { tagName: 'div', children: layOut(lines, level) })

  function isPlain({ children }: Element): boolean {
    return children.every(
      (child) => child.type !== 'element' || isNoise(child) || (!isMarkup(child) && isPlain(child)),
    )
  }

  function search(parent: Root | Element): void {
    for (const child of elementsIn(parent)) {
      if (isHeading(child)) level = Number(child.tagName.slice(1))
      isBelowTitle = isHeading(child) || (isBelowTitle && !isText(child))
      if (isBoxOfCode(child)) continue
      if (child.tagName === 'pre') pres.push({ pre: child, level, isBelowTitle })
      else search(child)
    }
  }
}

interface Preformatted {
  pre: Element
  /** Of the heading before it. */
  level: number
  isBelowTitle: boolean
}

const isText = isTag('dl ol p table ul')

/** A manual is one text, or a text below each of its titles. */
function isMost(texts: readonly Preformatted[], root: Root): boolean {
  const sizes = texts.map(({ pre }) => textLength(textOf(pre)))
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0)
  const below = sizes.filter((_size, at) => texts[at]?.isBelowTitle)
  return Math.max(0, ...sizes) * 2 > textLength(textOf(root)) || sum(below) * 2 > sum(sizes)
}

/** A box of code has code, whatever element of it names the language. */
const isBoxOfCode = (element: Element): boolean =>
  (languageOf(element) !== undefined || isCodeBox(element)) &&
  !hasBelow(element, isTag('p h1 h2 h3 h4 h5 h6'))

/** Of content that is not plain text. */
const isMarkup = (element: Element): boolean => element.tagName === 'code' || isBlock(element)

/** Names of highlighters: of Pygments and Rouge, one or two letters. */
const highlighterClass = /^(?:(?!h\d)[a-z]{1,2}\d?|token|(?:hljs|pl|tok|cm|sh|syntax)-[\w-]+)$/
const minHighlighted = 2

/** True for a `pre` with the spans of a highlighter. */
function isHighlighted(pre: Element): boolean {
  let count = 0
  const isOfHighlighter = isTag('span')
  return hasBelow(
    pre,
    (child) =>
      isOfHighlighter(child) && hasClass(child, highlighterClass) && ++count >= minHighlighted,
  )
}
