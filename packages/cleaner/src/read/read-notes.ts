import type { Element, ElementContent, Root } from 'hast'
import { blockTags } from '../tree/block-tags.ts'
import { classesOf } from '../tree/classes.ts'
import { isElement } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { fragmentOf, stringProperty } from '../tree/properties.ts'
import { shortText } from '../tree/short-text.ts'
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

const isHeading = (node: ElementContent): boolean =>
  isElement(node) && node.tagName.length === 2 && /^h[1-6]$/.test(node.tagName)
const isNoteTitle = (node: ElementContent): boolean =>
  isHeading(node) && noteTitle.test(shortText(node as Element, 20) ?? '')

/** True for a list of footnotes, or a box that begins with a heading for one. */
export const isTitledNotes = (box: Element): boolean => {
  const first = box.children.find((child) => isElement(child))
  return isNotes(box) || (first !== undefined && isNoteTitle(first))
}

const label = /^\s*[[(]?(\d{1,4}|[a-z]|[*†‡§])[\])]?\s*$/
const referenceClass = /(?:^|[-_])(?:(?:foot|end)?note-?(?:ref|reference)|fn-?ref)$/i

/** The label in a reference, a link in or around a superscript, and the note to which it leads. */
function referenceOf(
  element: Element,
  isRaised: boolean,
): { label: string; target: string } | undefined {
  const isLinked = element.tagName === 'a'
  const link = isLinked ? element : element.children.find((child) => isElement(child, 'a'))
  const target = link && stringProperty(link as Element, 'href')
  if (!isElement(link) || !target?.startsWith('#')) return undefined
  const isNote =
    isRaised ||
    isElement(element.children[0], 'sup') ||
    link.properties['role'] === 'doc-noteref' ||
    classesOf(link).some((name) => referenceClass.test(name))
  const text = isNote ? shortText(element, 8) : undefined
  const [, sign] = label.exec(text ?? '') ?? []
  return sign === undefined ? undefined : { label: sign, target: target.slice(1) }
}

const none: readonly string[] = []

/** The labels of the references in an element; they are recorded, as the notes come after them. */
export function labelsIn(element: Element, { byTarget, references }: Notes): readonly string[] {
  if (element.tagName === 'a' && !stringProperty(element, 'href')?.startsWith('#')) return none
  const isRaised = element.tagName === 'sup'
  const links = isRaised ? element.children.filter((child) => isElement(child, 'a')) : []
  const all = (links.length > 1 ? links : [element]) as Element[]
  const found = all.flatMap((part) => referenceOf(part, isRaised) ?? [])
  if (found.length < all.length) return none
  for (const { label, target } of found)
    byTarget.set(target, (byTarget.get(target) ?? label) === label ? label : '')
  for (const part of [element, ...element.children]) {
    const id = isElement(part) ? fragmentOf(part) : undefined
    if (id) references.add(id)
  }
  return found.map(({ label }) => label)
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
    first = first.children.find((child) => isElement(child)) as Element | undefined
    // The first block of a box is a note of its own.
    if (first && element.tagName !== 'li' && blockTags.has(first.tagName)) return undefined
  }
  return undefined
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

const structure = new Set(
  'article aside body center details div footer form header main section'.split(' '),
)

const noteTags = new Set(['dd', 'div', 'li', 'p'])

/** The notes of lists by name or heading; to those without links, the text must have the marks. */
export function notesIn(root: Root, regions: readonly (Root | Element)[] = [root]): Notes {
  const candidates = new Map<string, Element>()
  search(root)
  const marks = new Set<string>()
  if (candidates.size > 0) for (const region of regions) findMarks(region)
  const found = [...candidates].filter(([sign]) => marks.has(sign))
  return {
    byTarget: new Map(),
    references: new Set(),
    byElement: new Map(found.map(([sign, note]) => [note, sign])),
    marks: new Set(found.map(([sign]) => sign)),
  }

  function search(box: Root | Element): void {
    let isBelowTitle = false
    for (const child of box.children) {
      if (child.type !== 'element') continue
      if (isHeading(child)) isBelowTitle = isNoteTitle(child)
      else if (isBelowTitle || (blockTags.has(child.tagName) && isNotes(child))) collect(child)
      else if (structure.has(child.tagName)) search(child)
    }
  }

  function collect(box: Element): void {
    let position = 0
    const isNumbered = box.tagName === 'ol'
    const isText = box.tagName !== 'div' || !hasBelow(box, ({ tagName }) => blockTags.has(tagName))
    const [, sign] =
      noteTags.has(box.tagName) && isText
        ? (markBefore.exec(`${textOf(box).slice(0, 20)} `) ?? [])
        : []
    if (sign !== undefined) addNote(sign, box)
    else
      for (const child of box.children) {
        if (child.type !== 'element') continue
        if (child.tagName === 'li' && isNumbered) addNote(String(++position), child)
        else collect(child)
      }
  }

  function addNote(sign: string, note: Element): void {
    if (!candidates.has(sign)) candidates.set(sign, note)
  }

  function findMarks(element: Root | Element): void {
    let before = ''
    for (const child of element.children) {
      if (child.type === 'text') before = child.value
      if (child.type !== 'element') continue
      if (child.tagName !== 'sup') findMarks(child)
      else {
        const sign = hasBelow(child, isLink) ? undefined : marksNote(textOf(child), before)
        if (sign !== undefined) marks.add(sign)
      }
      if (child.tagName !== 'sup') before = ''
    }
  }
}

const isLink = ({ tagName }: Element): boolean => tagName === 'a'
