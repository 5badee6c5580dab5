import type { Element } from 'hast'
import { hasClass } from '../tree/classes.ts'
import { element, isElement } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { textLength } from '../tree/text-length.ts'
import { textOf } from '../tree/text-of.ts'

declare module 'hast' {
  interface ElementData {
    /** A term that repeats, such as «Default:» under each option; it names no section. */
    isLabel?: boolean
  }
}

/** Sphinx and docutils: «Parameters», «Returns» and similar lists below a signature. */
const fieldListClasses = new Set(['field-list', 'simple'])

const signatureClasses = new Set(['sig', 'sig-object'])
const nameClasses = new Set(['descname', 'sig-name'])
const isSignatureName = (element: Element): boolean => hasClass(element, nameClasses)

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
  if (node.type === 'text' && /\S/.test(node.value)) return [element('dd', [node])]
  if (!isElement(node)) return []
  if (node.tagName === 'dt' || node.tagName === 'dd') return [node]
  if (node.tagName !== 'div') return [element('dd', [node])]
  return node.children.flatMap(unwrapGroup)
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

export const isDescribed = ({ description }: Entry): boolean =>
  description.some((part) => /\S/.test(textOf(part)))

const isParagraph = (element: Element): boolean => ['p', 'pre'].includes(element.tagName)

/** A function signature, written as code. */
export const isSignature = (term: Element): boolean =>
  hasClass(term, signatureClasses) || hasBelow(term, isSignatureName)

export const isBlank = (term: Element): boolean => !/\S/.test(textOf(term))
