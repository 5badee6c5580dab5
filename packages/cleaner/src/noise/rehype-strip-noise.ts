import type { Element, ElementContent, Root } from 'hast'
import { selectAll } from 'hast-util-select'
import type { Plugin } from 'unified'
import { checkSelector } from '../rules/check-selector.ts'
import { hasBelow } from '../tree/has-below.ts'
import { textLength } from '../tree/text-length.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { isContents, noiseReasonBy } from './noise-reason.ts'
import { keepOnlyFormulas } from './only-formula.ts'

export interface StripNoiseOptions {
  /** CSS selector of elements to remove besides. */
  remove?: string
  /** Keep a record of what was removed, in the file's `data.removals`. */
  debug?: boolean
}

/** An element that was left out. */
export interface Removal {
  step: 'noise' | 'contents' | 'selector'
  /** The rule that named it, or in a word why it is noise. */
  rule: string
  /** The begin of its text, at most 80 characters. */
  text: string
}

declare module 'vfile' {
  interface DataMap {
    removals: Removal[]
  }
}

/**
 * Remove what is not content: navigation, permalinks, copy buttons, hidden elements, and tables of
 * contents, unless these are most of the page.
 */
export const rehypeStripNoise: Plugin<[StripNoiseOptions?], Root> = (options) => (root, file) => {
  const removals: Removal[] = []
  const { remove, debug } = options ?? {}
  if (debug) file.data.removals = removals
  const unwanted = new Set(remove ? selectAll(checkSelector(remove), root) : [])
  const noiseReason = noiseReasonBy(file.data.profile?.noise)
  const contents: Contents[] = []
  strip(root)
  stripContents()

  function strip(node: Root | Element): void {
    keepOnlyFormulas(node, noiseReason)
    const children = node.children as ElementContent[]
    // Most elements keep all they have: nothing is made anew until one goes.
    let first = 0
    while (first < children.length && isKept(children[first] as ElementContent)) first++
    if (first < children.length)
      node.children = [...children.slice(0, first), ...children.slice(first + 1).filter(isKept)]
    for (const child of node.children) {
      if (child.type !== 'element') continue
      if (isContents(child)) contents.push({ parent: node, list: child })
      else if (titles.has(child.tagName)) stripTitle(child)
      else strip(child)
    }
  }

  /** A rule by a name, or for permalinks, does not take all that a heading or term says. */
  function stripTitle(title: Element): void {
    if (title.children.every(({ type }) => type === 'text')) return
    const before = treeCopy(title)
    strip(title)
    if (isSaid.test(textOf(title)) || !isSaid.test(textOf(before))) return
    hasBelow(before, (element) => {
      if (isOverruled(noiseReason(element)) && isSaid.test(textOf(element)))
        element.data = { ...element.data, isContent: true }
      return false
    })
    title.children = before.children
    strip(title)
  }

  function isKept(child: ElementContent): boolean {
    if (child.type !== 'element') return child.type === 'text'
    if (unwanted.has(child)) return !record('selector', remove ?? '', child)
    const reason = noiseReason(child)
    return reason === undefined || !record('noise', reason, child)
  }

  function stripContents(): void {
    if (contents.length === 0) return
    const lists = new Set(contents.map(({ list }) => list))
    const listed = contents.reduce((length, { list }) => length + textLength(textOf(list)), 0)
    const said = saidBeside(root, lists)
    if (listed > said.all || (said.prose < leastSaid && listed > said.prose)) return
    for (const { parent, list } of contents) {
      parent.children = parent.children.filter((child) => child !== list) as Element['children']
      record('contents', 'table of contents', list)
    }
  }

  function record(step: Removal['step'], rule: string, element: Element): true {
    if (debug && removals.length < mostRemovals)
      removals.push({ step, rule, text: collapse(textOf(element)).slice(0, 80) })
    return true
  }
}

const titles = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'])
/** More than the sign of a permalink. */
const isSaid = /[\p{L}\p{N}]/u
/** Reasons that a name gives. What is hidden, or a button, is no part of a title. */
const isOverruled = (reason: string | undefined): boolean =>
  reason !== undefined && (reason === 'permalink' || /[.#]/.test(reason))

/** A tree of the same nodes' values, whose lists of children are its own. */
function treeCopy(element: Element): Element {
  return {
    ...element,
    children: element.children.map((child) => (child.type === 'element' ? treeCopy(child) : child)),
  }
}

/** Characters, blanks aside: a page that says less is there for its contents. */
const leastSaid = 300

/** Characters of text outside of the contents, and of those the ones outside of links too. */
function saidBeside(node: Root | Element, contents: ReadonlySet<Element>) {
  const said = { all: 0, prose: 0 }
  for (const child of node.children) {
    if (child.type === 'text') {
      const length = textLength(child.value)
      said.all += length
      said.prose += length
    } else if (child.type === 'element' && !contents.has(child)) {
      const below = saidBeside(child, contents)
      said.all += below.all
      if (child.tagName !== 'a') said.prose += below.prose
    }
  }
  return said
}

/** A record longer than this is not read by anyone. */
const mostRemovals = 1000

interface Contents {
  parent: Root | Element
  list: Element
}
