import type { Element, ElementContent } from 'hast'
import { below, hasBelow } from '../tree/below.ts'
import { isElement, textNode } from '../tree/element.ts'
import { hasClass, show, stringProperty } from '../tree/properties.ts'
import { isBlank, isWord, textLength } from '../tree/short-text.ts'
import { isTag } from '../tree/tags.ts'
import { collapse, lineOf, textOf } from '../tree/text-of.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { hidingOf } from './noise-reason.ts'
import { panelNames } from './noise-rules.ts'
import { linkedLength } from './page-ends.ts'

/** Attributes that name an element to be shown, by its id or by `#id`. */
const references = wordsOf(
  `ariaControls ariaDescribedBy ariaDetails ariaOwns commandFor dataBsTarget dataTarget href
  popoverTarget`,
)

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
  const referencedIds = namedIn(body)
  let bodyText: string | undefined
  let compared = 0
  for (const candidate of hidden)
    if (isFoldedRow(candidate) || isShown(candidate)) reveal(candidate)

  function isShown({ element, parent, before }: Hidden): boolean {
    if (isUnshown(element) || isMenu(element)) return false
    if (isPartOfText(element, parent))
      return (lineOf(element).match(/\S+/g) ?? []).length >= minWords
    const id = stringProperty(element, 'id')
    if (id !== undefined && referencedIds.has(id)) return true
    if (before?.type === 'element' && isQuestion(before) && lineOf(element) !== '') return true
    if (before && (hasClass(element, panelNames) || hasClass(parent, panelNames))) return true
    const prose = textLength(textOf(element)) - linkedLength(element)
    const isRead = hidingOf(element) !== 'ariaHidden'
    return prose > (isRead ? minProse : minShown) && !isRepeated(element)
  }

  /** True if the text of an element stands in another one that is shown. */
  function isRepeated(element: Element): boolean {
    bodyText ??= collapse(shownText(body))
    return ++compared > maxCompared || bodyText.includes(lineOf(element).slice(0, minShown))
  }
}

function collectHidden(parent: Element, hidden: Hidden[]): void {
  let before: ElementContent | undefined
  for (const child of parent.children) {
    if (child.type === 'element') {
      if (hidingOf(child) !== undefined) hidden.push({ element: child, parent, before })
      collectHidden(child, hidden)
    }
    if (child.type === 'element' || !isBlank(child)) before = child
  }
}

/** The ids of elements that others name to be shown. */
function namedIn(body: Element): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { properties } of below(body))
    for (const name in properties)
      if (references.has(name)) for (const id of idsIn(properties[name])) ids.add(id)
  return ids
}

const idsIn = (value: unknown): string[] => {
  const ids = String(value).split(' ')
  return ids.filter((id) => id.length > 1).map((id) => id.replace(/^#/, ''))
}

const isUnshown = isTag('button dialog i img input nav script style svg template')
const isFoldedRow = ({ element, before }: Hidden): boolean =>
  element.tagName === 'tr' && isElement(before, 'tr')
const isInline = isTag('abbr aside cite dfn em mark q small span strong sup')

/** Menus, overlays, data of scripts and lists of links are about the site. */
const isMenu = (element: Element): boolean =>
  menuRoles.has(stringProperty(element, 'role') ?? '') ||
  hasClass(element, overlay) ||
  hasBelow(element, (part) => part.tagName === 'form' || hasClass(part, overlay)) ||
  /^\s*[[{]/.test(textOf(element)) ||
  linkedLength(element) * 2 > textLength(textOf(element))

const menuRoles = wordsOf('alertdialog dialog listbox menu menubar navigation search tree')
const overlay =
  /cookie|consent|dialog|dropdown|menu|modal|\bnav|overlay|pop-?up|tooltip|^absolute$/i

/** A heading, a term, a summary or a button, alone or in a box. */
function isQuestion(element: Element): boolean {
  if (asks(element)) return true
  const text = lineOf(element)
  return (
    text.length <= maxQuestion && hasBelow(element, (part) => asks(part) && lineOf(part) === text)
  )
}

const asks = isTag('h1 h2 h3 h4 h5 h6 button summary dt')
/** In characters. */
const maxQuestion = 300

const isPartOfText = (element: Element, parent: Element): boolean =>
  isInline(element) &&
  parent.children.some((child) => child.type === 'text' && isWord.test(child.value))

/** Children of a note's mark: its text, and the note. */
const maxMarked = 3

/** Show an element; in a sentence, in brackets after its mark. */
function reveal({ element, parent }: Hidden): void {
  show(element)
  if (!isPartOfText(element, parent)) return
  const isAlone = parent.children.length <= maxMarked
  const mark = isAlone ? collapse(textOf(parent).replace(textOf(element), '')) : ''
  const isMark = /^[\p{N}*†‡§]{1,4}$/u.test(mark)
  if (isMark) parent.children = [element]
  element.children.unshift(textNode(isMark ? ` [${mark}: ` : ' ['))
  element.children.push(textNode(']'))
}

function shownText(node: Element): string {
  const texts = node.children.map((child) => {
    if (child.type === 'text') return child.value
    return child.type === 'element' && hidingOf(child) === undefined ? shownText(child) : ''
  })
  return texts.join(' ')
}
