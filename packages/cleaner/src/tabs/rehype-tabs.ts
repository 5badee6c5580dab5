import type { Element, ElementContent, Root } from 'hast'
import type { Plugin } from 'unified'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { lineOf } from '../tree/text-of.ts'

/** Write the label of each tab above its pane; the tabs themselves are buttons, and noise. */
export const rehypeTabs: Plugin<[], Root> = () => (root) => {
  for (const child of root.children) if (child.type === 'element') labelPanes(child)
}

function labelPanes(region: Element): void {
  /** Labels by the pane a tab controls, and by the tab a pane is labelled by. */
  const byPane = new Map<string, string>()
  const byTab = new Map<string, string>()
  const panes: Element[] = []
  hasBelow(region, (element) => {
    const { role } = element.properties
    if (role === 'tabpanel') panes.push(element)
    if (role !== 'tab') return false
    const label = lineOf(element)
    byPane.set(stringProperty(element, 'ariaControls') ?? '', label)
    byTab.set(stringProperty(element, 'id') ?? '', label)
    return false
  })
  byPane.delete('')
  byTab.delete('')
  for (const pane of panes) {
    const own = byPane.get(stringProperty(pane, 'id') ?? '')
    const label = own ?? byTab.get(stringProperty(pane, 'ariaLabelledBy') ?? '')
    if (label)
      pane.children.unshift(labelled('p', labelled('strong', { type: 'text', value: label })))
  }
}

const labelled = (tagName: string, child: ElementContent): Element => ({
  type: 'element',
  tagName,
  properties: {},
  children: [child],
})
