import type { Element, ElementContent } from 'hast'
import { readCode } from '../read/read-code.ts'
import {
  type Entry,
  entriesOf,
  isAddressable,
  isDescribed,
  isSignature,
} from '../read/read-definitions.ts'
import { hasBelow } from '../tree/below.ts'
import { childOf } from '../tree/children.ts'
import { element, isElement } from '../tree/element.ts'
import { annotate, stringProperty } from '../tree/properties.ts'
import { isBlank } from '../tree/short-text.ts'
import { isBlock, isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'
import { type Context, text, trimEdges } from './context.ts'
import { plainInline } from './inline.ts'

declare module 'hast' {
  interface ElementData {
    /** A paragraph that is the term of an entry, equivalent to a heading. */
    isTerm?: boolean
    /** A paragraph that begins with a term. */
    isDefinition?: boolean
  }
}

/** Each term becomes a paragraph before its description; short terms share a line with it. */
export function plainDefinitions(list: Element, context: Context): ElementContent[] {
  const entries = entriesOf(list)
  const addressable = isAddressable(list, entries)
  const nodes = entries.flatMap((entry) => {
    const inner = { ...context, isDescription: !entry.terms.some(isSignature) }
    const description = entry.description.map((part) =>
      element('div', context.flow(part.children, inner)),
    )
    const children = entry.terms.every(isBlank)
      ? description
      : addressable && isDescribed(entry)
        ? [...entry.terms.map((term) => plainTerm(term, context)), ...description]
        : plainDefinition(entry, description, context)
    return context.isDescription ? [element('li', children)] : children
  })
  return context.isDescription && nodes.length > 0 ? [element('ul', nodes)] : nodes
}

function plainTerm(term: Element, context: Context): Element {
  const id = stringProperty(term, 'id')
  const paragraph = element('p', termOf(term, context), id === undefined ? {} : { id })
  annotate(paragraph, { isTerm: true, isDefinition: true })
  return paragraph
}

function plainDefinition(entry: Entry, description: Element[], context: Context): ElementContent[] {
  const terms = entry.terms.flatMap((term, index) => [
    ...(index > 0 ? [element('br', [])] : []),
    ...termOf(term, context),
  ])
  if (terms.some((node) => isElement(node, 'pre'))) return [...terms, ...description]
  const box = element('div', description)
  const opened = prepend([...terms, text(': ')], box)
  const paragraph = opened ?? element('p', terms)
  annotate(paragraph, { isDefinition: true })
  return opened ? [box] : [paragraph, box]
}

/** A signature becomes code; terms that contain code are unchanged; others become bold. */
function termOf(term: Element, context: Context): ElementContent[] {
  const pre = childOf(term, 'pre')
  const code = pre && readCode(pre, undefined)
  if (code) return [element('pre', [element('code', [text(`${code.value}\n`)])])]
  if (isSignature(term)) return [element('code', [text(lineOf(term))])]
  const inner = trimmed(plainInline(term.children, context))
  const standsOut = hasBelow(element('span', inner), isTag('code strong'))
  return standsOut || inner.length === 0 ? inner : [element('strong', inner)]
}

/** Without white space at both ends and a colon at the end. */
function trimmed(nodes: ElementContent[]): ElementContent[] {
  trimEdges(nodes)
  const last = nodes.at(-1)
  if (last?.type === 'text') last.value = last.value.replace(/:$/, '')
  return nodes.filter((node) => node.type !== 'text' || node.value !== '')
}

/**
 * Insert nodes at the start of an element's first paragraph; returns the paragraph, or undefined if
 * the content begins with something else.
 */
export function prepend(lead: ElementContent[], holder: Element): Element | undefined {
  const nodes = holder.children
  const index = nodes.findIndex((node) => node.type !== 'text' || !isBlank(node))
  const first = nodes[index]
  if (!first) return undefined
  if (first.type === 'element' && isBlock(first)) {
    const isOpen = first.tagName === 'p' || first.tagName === 'div'
    return isOpen && !first.data?.isDefinition ? prepend(lead, first) : undefined
  }
  nodes.splice(index, 0, ...lead)
  return holder
}
