import type { Element } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { element, isElement } from '../tree/element.ts'
import { hasClass } from '../tree/properties.ts'
import { isBlank, textLength } from '../tree/short-text.ts'
import { isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'

declare module 'hast' {
  interface ElementData {
    /** A term that repeats, such as «Default:» under each option; it names no section. */
    isLabel?: boolean
  }
}

/** Sphinx and docutils: «Parameters», «Returns» and similar lists below a signature. */
const fieldListClasses = wordsOf('field-list simple')

const signatureClasses = wordsOf('sig sig-object')
const nameClasses = wordsOf('descname sig-name')

/** A term, or several that share a description. */
export interface Entry {
  terms: Element[]
  description: Element[]
}

export function entriesOf(list: Element): Entry[] {
  const entries: Entry[] = []
  for (const child of list.children.flatMap(unwrapGroup)) {
    const last = entries.at(-1)
    if (child.tagName !== 'dt') {
      if (last) last.description.push(child)
      else entries.push({ terms: [], description: [child] })
    } else if (last && last.description.length === 0) last.terms.push(child)
    else entries.push({ terms: [child], description: [] })
  }
  return entries
}

/** A `div` may group terms and descriptions; a stray text or element counts as a description. */
function unwrapGroup(node: Element['children'][number]): Element[] {
  if (!isElement(node)) return isBlank(node) ? [] : [element('dd', [node])]
  if (node.tagName === 'dt' || node.tagName === 'dd') return [node]
  return node.tagName === 'div' ? node.children.flatMap(unwrapGroup) : [element('dd', [node])]
}

/** In characters; a longer description is read separately, even without paragraphs. */
const maxShort = 300

/**
 * True if the entries become sections: terms with ids, or descriptions of whole paragraphs or some
 * length, unless most of the terms are labels.
 */
export function isAddressable(list: Element, entries: readonly Entry[]): boolean {
  const terms = entries.flatMap((entry) => entry.terms)
  if (terms.some((term) => term.properties['id'] !== undefined)) return true
  if (hasClass(list, fieldListClasses)) return false
  if (terms.length > 0 && terms.filter(isLabel).length * 2 >= terms.length) return false
  const described = entries.filter(isDescribed)
  const parts = described.flatMap(({ description }) => description)
  return (
    described.every(({ description }) => description.some((part) => hasBelow(part, isParagraph))) ||
    parts.reduce((sum, part) => sum + textLength(textOf(part)), 0) > maxShort * described.length
  )
}

export const isLabel = (term: Element): boolean => term.data?.isLabel === true

export const isDescribed = ({ description }: Entry): boolean => !description.every(isBlank)

const isParagraph = isTag('p pre')

/** A function signature, written as code. */
export const isSignature = (term: Element): boolean =>
  hasClass(term, signatureClasses) || hasBelow(term, (part) => hasClass(part, nameClasses))
