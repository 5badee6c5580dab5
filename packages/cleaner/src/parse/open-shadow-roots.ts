import type { Element, ElementContent, Root } from 'hast'
import { elementsIn } from '../tree/children.ts'
import { isElement } from '../tree/element.ts'
import { stringProperty } from '../tree/properties.ts'

/** Attributes of a template that is a shadow root, the former one included. */
export const shadowRootAttributes: readonly string[] = ['shadowrootmode', 'shadowroot']

/**
 * Show the content of declarative shadow roots as browsers do: it replaces that of their hosts, which
 * is shown in its slots. What no slot takes follows, since scripts may show it.
 */
export function openShadowRoots(root: Root): void {
  const pending: (Root | Element)[] = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const shadow = elementsIn(node).find(isShadowRoot)
    if (shadow) {
      const light = lightOf(node, shadow)
      fillSlots(shadow, light)
      node.children = [...shadow.children, ...[...light.values()].flat()]
    }
    for (const child of node.children) if (child.type === 'element') pending.push(child)
  }
}

const isShadowRoot = (node: Root['children'][number]): boolean =>
  isElement(node, 'template') &&
  (stringProperty(node, 'shadowRootMode') ?? stringProperty(node, 'shadowroot')) !== undefined

/** The content of a host by the name of its slot. */
function lightOf(host: Root | Element, shadow: Element): Map<string, ElementContent[]> {
  const light = new Map<string, ElementContent[]>()
  for (const child of host.children as ElementContent[]) {
    if (child === shadow) continue
    const slot = child.type === 'element' ? (stringProperty(child, 'slot') ?? '') : ''
    const assigned = light.get(slot) ?? []
    light.set(slot, assigned)
    assigned.push(child)
  }
  return light
}

/** Move content to the first slot of its name; a slot without any keeps its own. */
function fillSlots(node: Element, light: Map<string, ElementContent[]>): void {
  for (const child of node.children) {
    if (child.type !== 'element' || isShadowRoot(child)) continue
    const name = stringProperty(child, 'name') ?? ''
    const assigned = light.get(name) ?? []
    if (child.tagName !== 'slot') fillSlots(child, light)
    else {
      light.delete(name)
      if (assigned.some((part) => part.type !== 'text' || part.value.trim() !== ''))
        child.children = assigned
    }
  }
}
