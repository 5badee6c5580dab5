import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { hasBelow } from '../tree/has-below.ts'
import { stringProperty } from '../tree/properties.ts'
import { collapse, textOf } from '../tree/text-of.ts'

/** Write the label of each tab above its pane; the tabs themselves are buttons, and noise. */
export const rehypeTabs: Plugin<[], Root> = () => (root) => {
  for (const child of root.children) if (child.type === 'element') labelPanes(child)
}

function labelPanes(region: Element): void {
  const tabs: Element[] = []
  const panes: Element[] = []
  hasBelow(region, (element) => {
    const { role } = element.properties
    if (role === 'tab') tabs.push(element)
    else if (role === 'tabpanel') panes.push(element)
    return false
  })
  // `hasBelow` comes upon elements in no order to rely on; the attributes say who belongs to whom.
  for (const pane of panes) {
    const tab = tabs.find((candidate) => belongsTo(candidate, pane))
    const label = tab && collapse(textOf(tab))
    if (!label) continue
    const strong: Element = {
      type: 'element',
      tagName: 'strong',
      properties: {},
      children: [{ type: 'text', value: label }],
    }
    pane.children.unshift({
      type: 'element',
      tagName: 'p',
      properties: {},
      children: [strong],
    })
  }
}

function belongsTo(tab: Element, pane: Element): boolean {
  const controls = stringProperty(tab, 'ariaControls')
  const labelledBy = stringProperty(pane, 'ariaLabelledBy')
  const paneId = stringProperty(pane, 'id')
  const tabId = stringProperty(tab, 'id')
  return (
    (paneId !== undefined && paneId === controls) || (tabId !== undefined && tabId === labelledBy)
  )
}
