import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { element, textNode } from '../tree/element.ts'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { lineOf } from '../tree/text-of.ts'

/** Write the label of each tab above its panel; the tabs themselves are buttons, and noise. */
export const rehypeTabs: Plugin<[], Root> = () => (root) => {
  for (const child of root.children) if (child.type === 'element') labelPanes(child)
}

function labelPanes(region: Element): void {
  /** Labels by the panel that a tab controls, and by the tab that labels a panel. */
  const byPane = new Map<string, string>()
  const byTab = new Map<string, string>()
  const panes: Element[] = []
  hasBelow(region, (element) => {
    const { role } = element.properties
    if (element.tagName === 'awsdocs-tabs') openList(element)
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
    if (label) pane.children.unshift(labelled(label))
  }
}

/** AWS writes tabs as a hidden definition list that a script transforms. */
function openList(tabs: Element): void {
  for (const list of tabs.children) {
    if (list.type !== 'element' || list.tagName !== 'dl') continue
    list.tagName = 'div'
    list.properties = {}
    for (const item of list.children) {
      if (item.type !== 'element') continue
      if (item.tagName === 'dt') Object.assign(item, labelled(lineOf(item)))
      if (item.tagName === 'dd') item.tagName = 'div'
    }
  }
}

const labelled = (label: string): Element => element('p', [element('strong', [textNode(label)])])
