import type { Element } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { hasClass, isElement } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'

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

/** A `div` may group terms and descriptions; stray text counts as a description. */
function unwrapGroup(node: Element['children'][number]): Element[] {
  if (node.type === 'text' && /\S/.test(node.value))
    return [{ type: 'element', tagName: 'dd', properties: {}, children: [node] }]
  if (!isElement(node)) return []
  if (node.tagName !== 'div') return [node]
  return node.children.flatMap(unwrapGroup)
}

/** True if the entries become sections: terms with ids, or descriptions of whole paragraphs. */
export function isAddressable(list: Element, entries: readonly Entry[]): boolean {
  const terms = entries.flatMap((entry) => entry.terms)
  if (terms.some((term) => term.properties['id'] !== undefined)) return true
  if (hasClass(list, fieldListClasses)) return false
  return entries.every((entry) => entry.description.some((part) => hasBelow(part, isParagraph)))
}

export const isDescribed = ({ description }: Entry): boolean =>
  description.some((part) => /\S/.test(textOf(part)))

const isParagraph = (element: Element): boolean => ['p', 'pre'].includes(element.tagName)

/** A function signature, written as code. */
export const isSignature = (term: Element): boolean =>
  hasClass(term, signatureClasses) || hasBelow(term, isSignatureName)

export const isBlank = (term: Element): boolean => !/\S/.test(textOf(term))
