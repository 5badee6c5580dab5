import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { classesOf } from '../tree/classes.ts'
import { element, isElement, textNode } from '../tree/element.ts'
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
  const lists: Element[] = []
  let mayPair = false
  hasBelow(region, (element) => {
    const { role } = element.properties
    if (element.tagName === 'awsdocs-tabs') openList(element)
    if (role === 'tabpanel') panes.push(element)
    if (role === 'tablist') lists.push(element)
    mayPair ||= element.tagName === 'label' || isTabList(element)
    if (role !== 'tab') return false
    const label = lineOf(element)
    const target = stringProperty(element, 'href')?.replace(/^#/, '')
    byPane.set(stringProperty(element, 'ariaControls') ?? target ?? '', label)
    byTab.set(stringProperty(element, 'id') ?? '', label)
    return false
  })
  byPane.delete('')
  byTab.delete('')
  const labelled = new Set<Element>()
  const written = new Set<string>()
  for (const pane of panes) {
    const own = byPane.get(stringProperty(pane, 'id') ?? '')
    const label = own ?? byTab.get(stringProperty(pane, 'ariaLabelledBy') ?? '')
    if (!label) continue
    labelled.add(pane)
    written.add(label)
    pane.children.unshift(labelOf(label))
  }
  // A list of tabs whose labels are all above their panels has said what it says.
  for (const list of lists) if (areWritten(list, written)) list.children = []
  if (mayPair) pairByOrder(region, labelled)
}

const areWritten = (list: Element, written: ReadonlySet<string>): boolean =>
  written.size > 0 &&
  !hasBelow(list, (tab) => tab.properties['role'] === 'tab' && !written.has(lineOf(tab)))

/** Where no ids pair them, the n-th label of a box belongs to its n-th panel. */
function pairByOrder(box: Element, labelled: ReadonlySet<Element>): void {
  const children = box.children.filter((child) => isElement(child)) as Element[]
  for (const child of children) pairByOrder(child, labelled)
  const list = children.findIndex((child) => isElement(child) && labelsIn(child).length > 1)
  const labels = list < 0 ? [] : labelsIn(children[list] as Element)
  if (labels.length < 2) return
  const panes = panesIn(children.slice(list + 1), labels.length)
  if (!panes || panes.some((pane) => labelled.has(pane))) return
  panes.forEach((pane, index) => {
    for (const name of ['hidden', 'style', 'ariaHidden']) delete pane.properties[name]
    pane.children.unshift(labelOf(lineOf(labels[index] as Element)))
  })
  box.children = box.children.filter((child) => child !== children[list])
}

/** True for a list of tabs by role, by name, or of the labels of radio buttons. */
const isTabList = (element: Element): boolean =>
  element.properties['role'] === 'tablist' ||
  isElement(
    element.children.find((child) => isElement(child)),
    'label',
  ) ||
  classesOf(element).some((name) => /(?:^|[-_])tab(?:s|bed|list)?(?:$|[-_])/i.test(name))

/** The labels of a list of tabs, which has nothing else but radio buttons. */
function labelsIn(list: Element): Element[] {
  const parts = list.children.filter((child) => isElement(child)) as Element[]
  if (parts[0]?.tagName !== 'label' && !isTabList(list)) return []
  const labels = parts.filter(({ tagName }) => tagName !== 'input')
  return labels.every((label) => labelTags.has(label.tagName) && isLabel(label)) ? labels : []
}

const labelTags = new Set(['a', 'button', 'label', 'li', 'span'])
/** In characters. */
const maxLabel = 60
const isLabel = (label: Element): boolean => {
  const { length } = lineOf(label)
  return length > 0 && length <= maxLabel
}

/** As many panels as labels, next to their list or in one box after it. */
function panesIn(after: readonly Element[], count: number): Element[] | undefined {
  const visible = after.filter(({ tagName }) => tagName !== 'input')
  const [first] = visible
  const inside = first?.children.filter((child) => isElement(child)) as Element[] | undefined
  if (visible.length >= 1 && inside?.length === count && visible.length < count) return inside
  const panes = visible.slice(0, count)
  return panes.length === count && panes.every(isPane) ? panes : undefined
}

const isPane = (element: Element): boolean =>
  element.properties['role'] === 'tabpanel' ||
  classesOf(element).some((name) => /\b(?:tab|panel|pane)/i.test(name))

/** AWS writes tabs as a hidden definition list that a script transforms. */
function openList(tabs: Element): void {
  for (const list of tabs.children) {
    if (list.type !== 'element' || list.tagName !== 'dl') continue
    list.tagName = 'div'
    list.properties = {}
    for (const item of list.children) {
      if (item.type !== 'element') continue
      if (item.tagName === 'dt') Object.assign(item, labelOf(lineOf(item)))
      if (item.tagName === 'dd') item.tagName = 'div'
    }
  }
}

const labelOf = (label: string): Element => element('p', [element('strong', [textNode(label)])])
