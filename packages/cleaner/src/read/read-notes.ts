import type { Element, Root } from 'hast'
import { hasBelow } from '../tree/below.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { isElement } from '../tree/element.ts'
import { classesOf, fragmentOf, hasClass, stringProperty } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
import { isBlock, isHeading, isLink, isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'

/** The labels of notes, which are written where a page refers to them and where they stand. */
export interface Notes {
  /** By the fragments of links to notes; '' for a target of several labels, which is no note. */
  byTarget: Map<string, string>
  /** Fragments of the references, to which notes have links back. */
  references: Set<string>
  /** Notes without links, by the marks in the text and before the note. */
  byElement: ReadonlyMap<Element, string>
  marks: ReadonlySet<string>
}

const noteClass =
  /(?:^|[-_]|[a-z](?=[EF]))(?:foot|end)notes(?:[-_]+(?:block|container|list|section|wrapper|\w{4,6}))*$|^(?:foot|end)note(?:-list|-wrapper)?$/i
const noteTitle = /^(?:(?:foot|end)?notes?|references):?$/i

/** A list of footnotes, by role or by class, which may stand outside of the text. */
export const isNotes = (element: Element): boolean =>
  element.properties['role'] === 'doc-endnotes' ||
  classesOf(element).some((name) => /note/i.test(name) && noteClass.test(name))

const isNoteTitle = (element: Element): boolean =>
  isHeading(element) && noteTitle.test(shortText(element, 20) ?? '')

/** True for a list of footnotes, or a box that begins with a heading for one. */
export const isTitledNotes = (box: Element): boolean => {
  const first = childOf(box)
  return isNotes(box) || (first !== undefined && isNoteTitle(first))
}

const label = /^\s*[[(]?(\d{1,4}|[a-z]|[*†‡§])[\])]?\s*$/
const referenceClass = /(?:^|[-_])(?:(?:foot|end)?note-?(?:ref|reference)|fn-?ref)$/i

/** The label in a reference, a link in or around a superscript, and the note to which it leads. */
function referenceOf(
  element: Element,
  isRaised: boolean,
): { label: string; target: string } | undefined {
  const link = isLink(element) ? element : childOf(element, 'a')
  const target = link && stringProperty(link, 'href')
  if (!target?.startsWith('#')) return undefined
  const isNote =
    isRaised ||
    isElement(element.children[0], 'sup') ||
    link?.properties['role'] === 'doc-noteref' ||
    (link && hasClass(link, referenceClass))
  const text = isNote ? shortText(element, 8) : undefined
  const [, sign] = label.exec(text ?? '') ?? []
  return sign === undefined ? undefined : { label: sign, target: target.slice(1) }
}

/** The labels of the references in an element; they are recorded, as the notes come after them. */
export function labelsIn(element: Element, { byTarget, references }: Notes): readonly string[] {
  if (isLink(element) && !stringProperty(element, 'href')?.startsWith('#')) return []
  const isRaised = element.tagName === 'sup'
  const links = isRaised ? elementsIn(element).filter(isLink) : []
  const all = links.length > 1 ? links : [element]
  const matches = all.flatMap((part) => referenceOf(part, isRaised) ?? [])
  if (matches.length < all.length) return []
  for (const { label, target } of matches)
    byTarget.set(target, (byTarget.get(target) ?? label) === label ? label : '')
  for (const part of [element, ...elementsIn(element)]) {
    const id = fragmentOf(part)
    if (id) references.add(id)
  }
  return matches.map(({ label }) => label)
}

/** Elements before the anchor of a note. */
const maxDepth = 3

/**
 * The label of a note: of the element, or of an anchor at its beginning. A label is taken once, so
 * that no part of the note is a note.
 */
export function takeLabel(element: Element, { byTarget, byElement }: Notes): string | undefined {
  const mark = byElement.get(element)
  if (mark !== undefined || byTarget.size === 0) return mark
  let first: Element | undefined = element
  for (let depth = 0; first && depth < maxDepth; depth++) {
    const id = fragmentOf(first)
    const label = id && byTarget.get(id)
    if (label) {
      byTarget.set(id, '')
      return label
    }
    first = childOf(first)
    // The first block of a box is a note of its own.
    if (first && element.tagName !== 'li' && isBlock(first)) return undefined
  }
  return undefined
}

/** A block of several notes, as one block for each: the target of a mark ends the note before it. */
export function notesApart(block: Element, { byTarget }: Notes): Element[] {
  if (byTarget.size < 2) return [block]
  const isStart = (child: Element['children'][number]): boolean =>
    child.type === 'element' &&
    !isBlock(child) &&
    [child, childOf(child)].some((each) => each && byTarget.get(fragmentOf(each) ?? ''))
  const starts = block.children.flatMap((child, at) => (isStart(child) ? [at] : []))
  if (starts.length < 2) return [block]
  const edges = [...new Set([0, ...starts])]
  return edges.map((start, at) => {
    const children = block.children.slice(start, edges[at + 1])
    while (isElement(children.at(-1), 'br')) children.pop()
    return { ...block, properties: start === 0 ? block.properties : {}, children }
  })
}

/** True for a link from a note to its reference. */
export function leadsBack(link: Element, { byTarget, references }: Notes): boolean {
  const href = byTarget.size > 0 ? stringProperty(link, 'href') : undefined
  if (!href?.startsWith('#')) return false
  return references.has(href.slice(1)) || /^(?:[\s↩↑⏎⤴⬆]|\ufe0e|\ufe0f)+$/u.test(textOf(link))
}

/** Digits after a word of some letters or after a sign are a mark, after others a power. */
export const marksNote = (superscript: string, before: string): string | undefined =>
  /(?:\p{L}{3}|[.,;:!?…"'”’»。、）])\s*$/u.test(before) ||
  (before !== '' && /[*†‡§]/.test(superscript))
    ? label.exec(superscript)?.[1]
    : undefined

/** A mark at the beginning of a note. */
const markBefore = /^\s*[[(]?(\d{1,4}|[*†‡§])(?:[\])][.:]?|[.:)]?\s)/

const isStructure = isTag('article aside body center details div footer form header main section')
const mayBeNote = isTag('dd div li p')

/** The notes of lists by name or heading; to those without links, the text must have the marks. */
export function notesIn(root: Root, regions: readonly (Root | Element)[] = [root]): Notes {
  const candidates = new Map<string, Element>()
  search(root)
  const marks = new Set<string>()
  if (candidates.size > 0) for (const region of regions) findMarks(region)
  const notes = [...candidates].filter(([sign]) => marks.has(sign))
  return {
    byTarget: new Map(),
    references: new Set(),
    byElement: new Map(notes.map(([sign, note]) => [note, sign])),
    marks: new Set(notes.map(([sign]) => sign)),
  }

  function search(box: Root | Element): void {
    let isBelowTitle = false
    for (const child of elementsIn(box))
      if (isHeading(child)) isBelowTitle = isNoteTitle(child)
      else if (isBelowTitle || (isBlock(child) && isNotes(child))) collect(child)
      else if (isStructure(child)) search(child)
  }

  function collect(box: Element): void {
    let position = 0
    const isNumbered = box.tagName === 'ol'
    const isText = box.tagName !== 'div' || !hasBelow(box, isBlock)
    const text = mayBeNote(box) && isText ? `${textOf(box).slice(0, 20)} ` : ''
    const sign = markBefore.exec(text)?.[1]
    if (sign !== undefined) addNote(sign, box)
    else
      for (const child of elementsIn(box))
        if (child.tagName === 'li' && isNumbered) addNote(String(++position), child)
        else collect(child)
  }

  function addNote(sign: string, note: Element): void {
    if (!candidates.has(sign)) candidates.set(sign, note)
  }

  function findMarks(element: Root | Element): void {
    let before = ''
    for (const child of element.children) {
      if (child.type === 'text') before = child.value
      if (child.type !== 'element') continue
      if (child.tagName !== 'sup') {
        findMarks(child)
        before = ''
      } else if (!hasBelow(child, isLink)) {
        const sign = marksNote(textOf(child), before)
        if (sign !== undefined) marks.add(sign)
      }
    }
  }
}
