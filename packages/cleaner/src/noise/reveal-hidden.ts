import type { Element, ElementContent } from 'hast'
import { classesOf } from '../tree/classes.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { textLength } from '../tree/text-length.ts'
import { collapse, lineOf, textOf } from '../tree/text-of.ts'
import { hidingOf } from './noise-reason.ts'
import { panelNames } from './noise-rules.ts'
import { linkedLength } from './page-ends.ts'

/** Attributes that name an element to be shown, by its id or by `#id`. */
const references: ReadonlySet<string> = new Set([
  'ariaControls',
  'ariaDescribedBy',
  'ariaDetails',
  'ariaOwns',
  'commandFor',
  'dataBsTarget',
  'dataTarget',
  'href',
  'popoverTarget',
])

interface Hidden {
  element: Element
  parent: Element
  /** What stands before it in its parent. */
  before: ElementContent | undefined
}

/** Below this number of words, a hidden part of a sentence repeats what an icon shows. */
const minWords = 3
/** In characters without white space and links; shorter texts are repetitions of labels. */
const minProse = 200
/** The same for text that only screen readers skip. */
const minShown = 20
/** More elements are not compared with the page: each takes time in its length. */
const maxCompared = 500

/**
 * Show what a reader can make a page show: an element that is hidden, or not read aloud, stays so
 * only if nothing names it, it answers no question, and it says nothing of its own.
 */
export function revealHidden(body: Element): void {
  const hidden: Hidden[] = []
  collectHidden(body, hidden)
  if (hidden.length === 0) return
  const named = namedIn(body)
  let shown: string | undefined
  let compared = 0
  for (const one of hidden) if (isShown(one)) reveal(one)

  function isShown({ element, parent, before }: Hidden): boolean {
    if (unshown.has(element.tagName) || isMenu(element)) return false
    if (isPartOfText(element, parent))
      return (lineOf(element).match(/\S+/g) ?? []).length >= minWords
    const id = stringProperty(element, 'id')
    if (id !== undefined && named.has(id)) return true
    if (before?.type === 'element' && isQuestion(before) && lineOf(element) !== '') return true
    if (before && isPanel(element, parent)) return true
    const prose = textLength(textOf(element)) - linkedLength(element)
    const isRead = hidingOf(element) !== 'ariaHidden'
    return prose > (isRead ? minProse : minShown) && !isRepeated(element)
  }

  /** True if the text of an element stands in another one that is shown. */
  function isRepeated(element: Element): boolean {
    shown ??= collapse(shownText(body))
    return ++compared > maxCompared || shown.includes(lineOf(element).slice(0, minShown))
  }
}

function collectHidden(parent: Element, hidden: Hidden[]): void {
  let before: ElementContent | undefined
  for (const child of parent.children) {
    if (child.type === 'element') {
      if (hidingOf(child) !== undefined) hidden.push({ element: child, parent, before })
      collectHidden(child, hidden)
    }
    if (child.type === 'element' || (child.type === 'text' && /\S/.test(child.value)))
      before = child
  }
}

/** The ids of elements that others name to be shown. */
function namedIn(body: Element): ReadonlySet<string> {
  const named = new Set<string>()
  hasBelow(body, ({ properties }) => {
    for (const name in properties)
      if (references.has(name)) for (const id of idsIn(properties[name])) named.add(id)
    return false
  })
  return named
}

const idsIn = (value: unknown): string[] =>
  String(value)
    .split(' ')
    .flatMap((id) => (id.length < 2 ? [] : [id.startsWith('#') ? id.slice(1) : id]))

const unshown = new Set('button dialog i img input nav script style svg template'.split(' '))
const inlineTags = new Set('abbr aside cite dfn em mark q small span strong sup'.split(' '))

/** Menus, overlays, data of scripts and lists of links are about the site. */
const isMenu = (element: Element): boolean =>
  /^(?:alertdialog|dialog|listbox|menu|menubar|navigation|search|tree)$/.test(
    stringProperty(element, 'role') ?? '',
  ) ||
  isOverlay(element) ||
  hasBelow(element, (part) => part.tagName === 'form' || isOverlay(part)) ||
  /^\s*[[{]/.test(textOf(element)) ||
  linkedLength(element) * 2 > textLength(textOf(element))

const isOverlay = (element: Element): boolean =>
  classesOf(element).some((name) =>
    /cookie|consent|dialog|dropdown|menu|modal|\bnav|overlay|pop-?up|tooltip|^absolute$/i.test(
      name,
    ),
  )

const isPanel = (element: Element, parent: Element): boolean =>
  [...classesOf(element), ...classesOf(parent)].some((name) => panelNames.test(name))

/** A heading, a term, a summary or a button, alone or in a box. */
function isQuestion(element: Element): boolean {
  if (questions.has(element.tagName)) return true
  const text = lineOf(element)
  return (
    text.length <= maxQuestion &&
    hasBelow(element, (part) => questions.has(part.tagName) && lineOf(part) === text)
  )
}

const questions = new Set('h1 h2 h3 h4 h5 h6 button summary dt'.split(' '))
/** In characters. */
const maxQuestion = 300

const isPartOfText = (element: Element, parent: Element): boolean =>
  inlineTags.has(element.tagName) &&
  parent.children.some((child) => child.type === 'text' && /[\p{L}\p{N}]/u.test(child.value))

/** Children of a note's mark: its text, and the note. */
const maxMarked = 3

/** Show an element; in a sentence, in brackets after its mark. */
function reveal({ element, parent }: Hidden): void {
  for (const name of ['hidden', 'ariaHidden', 'style']) delete element.properties[name]
  if (!isPartOfText(element, parent)) return
  const isAlone = parent.children.length <= maxMarked
  const mark = isAlone ? collapse(textOf(parent).replace(textOf(element), '')) : ''
  const isMark = /^[\p{N}*†‡§]{1,4}$/u.test(mark)
  if (isMark) parent.children = [element]
  element.children.unshift({ type: 'text', value: isMark ? ` [${mark}: ` : ' [' })
  element.children.push({ type: 'text', value: ']' })
}

function shownText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type === 'text') return child.value
      return child.type === 'element' && hidingOf(child) === undefined ? shownText(child) : ''
    })
    .join(' ')
}
