import type { Element, Root } from 'hast'
import { languageOf } from '../read/read-code.ts'
import type { RuleTest } from '../rules/compile-rules.ts'
import { blockTags } from '../tree/block-tags.ts'
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
    .filter(({ pre }) => languageOf(pre) === undefined && isPlain(pre))
    .map((text) => ({ ...text, lines: linesOf(text.pre, isNoise) }))
  if (!isManual(texts.flatMap(({ lines }) => lines))) return
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
      if (child.tagName === 'pre') pres.push({ pre: child, level })
      else search(child)
    }
  }
}

/** Of content that is not plain text. */
const isMarkup = ({ tagName }: Element): boolean => tagName === 'code' || blockTags.has(tagName)
