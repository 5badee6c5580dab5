import type { Element } from 'hast'
import { codeTags } from '../tree/block-tags.ts'
import { element } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { annotate } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'

const minPlaces = 3
const maxLabel = 30
/** Up to three words; names in code have other signs. */
const words = /^\p{L}+(?: \p{L}+){0,2}:?$/u

interface Label {
  places: number
  last: unknown
  elements: Element[]
}

/** Terms and small headings without a fragment that repeat in at least three places of the page. */
export class RepeatedLabels {
  readonly #labels = new Map<string, Label>()

  /** `place`: the list of a term, or the heading above a heading. */
  note(candidate: Element, place: unknown): void {
    if (candidate.properties['id'] !== undefined) return
    const text = shortText(candidate, maxLabel)
    if (text === undefined || !words.test(text) || hasBelow(candidate, isCode)) return
    if (candidate.tagName !== 'dt' && !text.endsWith(':')) return
    const label = this.#labels.get(text) ?? { places: 0, last: undefined, elements: [] }
    if (label.places === 0 || label.last !== place) label.places++
    label.last = place
    label.elements.push(candidate)
    this.#labels.set(text, label)
  }

  /** Mark the terms, and write the headings as bold text. */
  apply(): void {
    for (const { places, elements } of this.#labels.values())
      if (places >= minPlaces) for (const label of elements) demote(label)
  }
}

const isCode = ({ tagName }: Element): boolean => codeTags.has(tagName)

function demote(label: Element): void {
  if (label.tagName === 'dt') annotate(label, { isLabel: true })
  else {
    label.children = [element('strong', label.children)]
    label.tagName = 'p'
  }
}
