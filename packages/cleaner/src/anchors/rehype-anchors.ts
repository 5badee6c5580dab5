import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { isPermalink } from '../noise/noise-reason.ts'
import { hasBelow } from '../tree/has-below.ts'
import { hasClass, stringProperty } from '../tree/properties.ts'

declare module 'hast' {
  interface ElementData {
    /** Other fragments of this heading or term. */
    aliases?: string[]
  }
}

const anchored = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'])
/** Classes of index marks, which precede a heading only by chance. */
const indexMarks = new Set(['indexterm'])

/**
 * Give every heading and term its fragment, wherever the page has it: a permalink, its own id, the
 * section around it, an anchor before or in it. Further fragments become `data.aliases`. Must run
 * before permalinks are stripped.
 */
export const rehypeAnchors: Plugin<[], Root> = () => (root) => {
  /** Fragments since the last text; they belong to the next heading. */
  let pending: string[] = []
  /** Empty elements with a fragment since the last text. */
  let named: string[] = []
  /** Level of the last heading. */
  let level = 1
  /** Fragments of the ancestors that have no heading yet, the innermost last. */
  const around: (string | undefined)[] = []
  walk(root)

  function walk(node: Root | Element): void {
    for (const child of node.children) {
      if (child.type === 'text' && /\S/.test(child.value)) pending = []
      if (child.type !== 'element') continue
      if (child.tagName === 'dt') {
        anchor(child, groupMark(node), [])
        pending = []
      } else if (anchored.has(child.tagName)) {
        anchor(child, pending, claim())
        pending = []
      } else if (child.tagName === 'pre' || (child.tagName === 'p' && hasOwnText(child)))
        // Running text discards pending fragments; its content does not matter.
        pending = []
      else enter(child)
    }
  }

  function enter(element: Element): void {
    const mark = markOf(element)
    if (mark && hasClass(element, indexMarks)) pending.push(mark)
    else if (mark) pending.unshift(mark)
    around.push(mark)
    walk(element)
    around.pop()
  }

  /** The first heading of an element takes the element's fragment, whatever precedes it. */
  function claim(): string[] {
    const marks = around.toReversed().filter((mark) => mark !== undefined)
    around.fill(undefined)
    return marks
  }
}

/** The fragment of a `div` that groups a term with its description. */
function groupMark(parent: Root | Element): string[] {
  const mark = parent.type === 'element' && parent.tagName === 'div' ? markOf(parent) : undefined
  return mark ? [mark] : []
}

const hasOwnText = ({ children }: Element): boolean =>
  children.some((child) => child.type === 'text' && /\S/.test(child.value))

/** `before` and `around`: the nearest fragment first. */
function anchor(element: Element, before: readonly string[], around: readonly string[]): void {
  const inner: string[] = []
  let permalink: string | undefined
  hasBelow(element, (child) => {
    const mark = markOf(child)
    if (mark) inner.push(mark)
    if (child.tagName === 'a' && isPermalink(child)) permalink ??= fragmentOf(child)
    return false
  })
  const all = [permalink, markOf(element), ...before, ...inner, ...around].filter(
    (id) => id !== undefined,
  )
  const [id, ...others] = new Set(all)
  if (id === undefined) return
  element.properties['id'] = id
  if (others.length > 0) element.data = { ...element.data, aliases: others }
}

function markOf(element: Element): string | undefined {
  const id = stringProperty(element, 'id')
  if (id) return id
  return (element.tagName === 'a' && stringProperty(element, 'name')) || undefined
}

function fragmentOf(link: Element): string | undefined {
  const href = stringProperty(link, 'href') ?? ''
  const fragment = href.slice(href.indexOf('#') + 1)
  try {
    return decodeURIComponent(fragment) || undefined
  } catch {
    return fragment
  }
}
