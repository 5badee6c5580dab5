import type { Element, Root } from 'hast'
import { isCodeBox, languageOf } from '../read/read-code.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { blockTags } from '../tree/block-tags.ts'
import { hasBelow } from '../tree/has-below.ts'
import { classesOf } from '../tree/properties.ts'
import { textLength } from '../tree/text-length.ts'
import { textOf } from '../tree/text-of.ts'
import { layOut } from './lay-out.ts'
import { linesOf } from './lines-of.ts'
import { isManual } from './prose.ts'

/**
 * Give a manual that is rendered as preformatted text headings, paragraphs and lists. Takes linear
 * time.
 */
export function openPreformatted(root: Root, isNoise: RuleTest): void {
  /** With the level of the heading before it. */
  const pres: { pre: Element; level: number }[] = []
  let level = 1
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
    for (const child of parent.children) {
      if (child.type !== 'element') continue
      if (/^h[1-6]$/.test(child.tagName)) level = Number(child.tagName.slice(1))
      if (isBoxOfCode(child)) continue
      if (child.tagName === 'pre') pres.push({ pre: child, level })
      else search(child)
    }
  }
}

/** A manual is one text, or has only its titles outside of its texts. */
function isMost(texts: readonly { pre: Element }[], root: Root): boolean {
  const longest = Math.max(0, ...texts.map(({ pre }) => textLength(textOf(pre))))
  return longest * 2 > textLength(textOf(root)) || !hasBelow(root, isParagraph)
}

const isParagraph = (element: Element): boolean =>
  (element.tagName === 'p' || element.tagName === 'li') && /\S/.test(textOf(element))

/** A box of code has code, whatever element of it names the language. */
const isBoxOfCode = (element: Element): boolean =>
  (languageOf(element) !== undefined || isCodeBox(element)) &&
  !hasBelow(element, (child) => child.tagName === 'p' || /^h[1-6]$/.test(child.tagName))

/** Of content that is not plain text. */
const isMarkup = ({ tagName }: Element): boolean => tagName === 'code' || blockTags.has(tagName)

/** Names of highlighters: of Pygments and Rouge, one or two letters. */
const highlighterClass = /^(?:(?!h\d)[a-z]{1,2}\d?|token|(?:hljs|pl|tok|cm|sh|syntax)-[\w-]+)$/
const minHighlighted = 2

/** True for a `pre` with the spans of a highlighter. */
function isHighlighted(pre: Element): boolean {
  let count = 0
  return hasBelow(pre, (child) => {
    if (child.tagName === 'span' && classesOf(child).some((name) => highlighterClass.test(name)))
      count++
    return count >= minHighlighted
  })
}
