import type { Element } from 'hast'
import { hasBelow } from '../tree/has-below.ts'
import { hasClass, isElement, stringProperty } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { codeBlock } from './code-block.ts'
import { codeSpan, inlineMarkdown } from './inline.ts'
import { type Settings, type State, writeApart } from './state.ts'

/** Sphinx and docutils: «Parameters», «Returns» and their like below a signature. */
const fieldListClasses = new Set(['field-list', 'simple'])
const signatureClasses = new Set(['sig', 'sig-object'])
const nameClasses = new Set(['descname', 'sig-name'])
const isSignatureName = (element: Element): boolean => hasClass(element, nameClasses)

/** A term, or several that share a description. */
interface Entry {
  terms: Element[]
  description: Element[]
}

/**
 * Functions, options and their like become entries, sections of their own, to be read without
 * their neighbours. Short terms stay text: `term: description`.
 */
export function writeDefinitionList(list: Element, state: State): void {
  const entries = entriesOf(list)
  const addressable = isAddressable(list, entries)
  for (const entry of entries) {
    if (entry.terms.every((term) => !/\S/.test(textOf(term)))) writeDescription(entry, state)
    else if (addressable && isDescribed(entry)) writeEntry(entry, state)
    else writeDefinition(entry, state)
  }
}

function entriesOf(list: Element): Entry[] {
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

/** A `div` may group the terms and descriptions of a list; stray text describes. */
function unwrapGroup(node: Element['children'][number]): Element[] {
  if (node.type === 'text' && /\S/.test(node.value))
    return [{ type: 'element', tagName: 'dd', properties: {}, children: [node] }]
  if (!isElement(node)) return []
  if (node.tagName !== 'div') return [node]
  return node.children.flatMap(unwrapGroup)
}

/** Worth sections of their own: terms one can link to, or descriptions of whole paragraphs. */
function isAddressable(list: Element, entries: readonly Entry[]): boolean {
  const terms = entries.flatMap((entry) => entry.terms)
  if (terms.some((term) => term.properties['id'] !== undefined)) return true
  if (hasClass(list, fieldListClasses)) return false
  return entries.every((entry) => entry.description.some((part) => hasBelow(part, isParagraph)))
}

const isDescribed = ({ description }: Entry): boolean =>
  description.some((part) => /\S/.test(textOf(part)))

const isParagraph = (element: Element): boolean => ['p', 'pre'].includes(element.tagName)

function writeDescription({ description }: Entry, state: State): void {
  for (const part of description) {
    state.flow(part.children)
    state.flush()
  }
}

function writeEntry(entry: Entry, state: State): void {
  const { terms } = entry
  const [id, ...aliases] = new Set(
    terms.flatMap((term) => {
      const own = stringProperty(term, 'id')
      return own ? [own, ...(term.data?.aliases ?? [])] : []
    }),
  )
  state.out.push({
    type: 'flatEntry',
    id,
    aliases,
    title: terms.map((term) => collapse(textOf(term))).join(', '),
  })
  for (const term of terms) state.text('definition', termMarkdown(term, state.settings))
  writeDescription(entry, state)
  state.out.push({ type: 'flatEntryEnd' })
}

function writeDefinition(entry: Entry, state: State): void {
  const { terms } = entry
  for (const term of terms) {
    const id = stringProperty(term, 'id')
    if (id) state.out.push({ type: 'flatAnchor', id })
  }
  const title = terms.map((term) => termMarkdown(term, state.settings)).join('\n')
  const nodes = writeApart(state, (apart) => writeDescription(entry, apart))
  const first = nodes.find((node) => node.type === 'flatBlock')
  if (first?.block.kind === 'text' && !title.startsWith('```')) {
    first.block = { kind: 'definition', markdown: `${title}: ${first.block.markdown}` }
  } else if (title !== '') state.text('definition', title)
  state.append(nodes)
}

/** A signature is code as a whole; terms that are code stand out already; others are set in bold. */
function termMarkdown(element: Element, settings: Settings): string {
  const pre = element.children.find((child) => isElement(child, 'pre')) as Element | undefined
  if (pre) return codeBlock(pre, undefined)?.markdown ?? ''
  if (hasClass(element, signatureClasses) || hasBelow(element, isSignatureName))
    return codeSpan(collapse(textOf(element)))
  const term = inlineMarkdown(element.children, settings).replace(/:$/, '')
  return term === '' || /`|\*\*/.test(term) ? term : `**${term}**`
}
