import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { isPermalink } from '../noise/is-noise.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'

declare module 'hast' {
  interface ElementData {
    /** Other fragments that lead to this heading or term. */
    aliases?: string[]
  }
}

const anchored = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt'])
const containers = new Set(['div', 'section', 'article', 'main', 'details', 'hgroup', 'header'])

/** Fragments met since the last text: whatever heading comes next, they lead to it. */
interface Pending {
  containers: string[]
  marks: string[]
}

/**
 * Give every heading and term the fragment that leads to it, wherever the page keeps it: a
 * permalink, its own id, the section around it, an anchor before or in it. The others become
 * `data.aliases`. Has to run before permalinks are stripped.
 */
export const rehypeAnchors: Plugin<[], Root> = () => (root) => {
  let pending: Pending = { containers: [], marks: [] }
  walk(root)

  function walk(node: Root | Element): void {
    for (const child of node.children) {
      if (child.type === 'text' && /\S/.test(child.value)) pending = { containers: [], marks: [] }
      if (child.type !== 'element') continue
      if (anchored.has(child.tagName)) {
        anchor(child, pending)
        pending = { containers: [], marks: [] }
        continue
      }
      const mark = markOf(child)
      if (mark) (containers.has(child.tagName) ? pending.containers : pending.marks).push(mark)
      walk(child)
    }
  }
}

function anchor(element: Element, pending: Pending): void {
  const inner: string[] = []
  let permalink: string | undefined
  hasBelow(element, (child) => {
    const mark = markOf(child)
    if (mark) inner.push(mark)
    if (child.tagName === 'a' && isPermalink(child)) permalink ??= fragmentOf(child)
    return false
  })
  const before =
    element.tagName === 'dt'
      ? []
      : [...pending.containers.toReversed(), ...pending.marks.toReversed()]
  const all = [permalink, markOf(element), ...before, ...inner].filter((id) => id !== undefined)
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
