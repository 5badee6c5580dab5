import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { element } from '../tree/element.ts'
import { annotate } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { isCode } from '../tree/tags.ts'

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
    const repeated = [...this.#labels.values()].filter(({ places }) => places >= minPlaces)
    for (const label of repeated.flatMap(({ elements }) => elements))
      if (label.tagName === 'dt') annotate(label, { isLabel: true })
      else Object.assign(label, { tagName: 'p', children: [element('strong', label.children)] })
  }
}
