import type { Element, Root } from 'hast'
import type { Plugin } from 'unified'
import { below, hasBelow } from '../tree/below.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { element, isElement, textNode } from '../tree/element.ts'
import { hasClass, show, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { lineOf } from '../tree/text-of.ts'

/** Write the label of each tab above its panel; the tabs themselves are buttons, and noise. */
export const rehypeTabs: Plugin<[], Root> = () => (root) => {
  for (const child of elementsIn(root)) labelPanes(child)
}

function labelPanes(region: Element): void {
  /** Labels by the panel that a tab controls, and by the tab that labels a panel. */
  const byPane = new Map<string, string>()
  const byTab = new Map<string, string>()
  const panes: Element[] = []
  const lists: Element[] = []
  let mayPair = false
  for (const element of below(region)) {
    const { role } = element.properties
    if (element.tagName === 'awsdocs-tabs') openList(element)
    if (role === 'tabpanel') panes.push(element)
    if (role === 'tablist') lists.push(element)
    mayPair ||= element.tagName === 'label' || isTabList(element)
    if (role === 'tab') note(element)
  }
  byPane.delete('')
  byTab.delete('')
  function note(tab: Element): void {
    const label = lineOf(tab)
    const target = stringProperty(tab, 'href')?.replace(/^#/, '')
    byPane.set(stringProperty(tab, 'ariaControls') ?? target ?? '', label)
    byTab.set(stringProperty(tab, 'id') ?? '', label)
  }
  const labelled = new Set<Element>()
  const labels = new Set<string>()
  for (const pane of panes) {
    const controlLabel = byPane.get(stringProperty(pane, 'id') ?? '')
    const label = controlLabel ?? byTab.get(stringProperty(pane, 'ariaLabelledBy') ?? '')
    if (!label) continue
    labelled.add(pane)
    labels.add(label)
    pane.children.unshift(labelOf(label))
  }
  // A list of tabs whose labels are all above their panels has said what it says.
  for (const list of lists) if (areWritten(list, labels)) list.children = []
  if (mayPair) pairByOrder(region, labelled)
}

const areWritten = (list: Element, labels: ReadonlySet<string>): boolean =>
  labels.size > 0 &&
  !hasBelow(list, (tab) => tab.properties['role'] === 'tab' && !labels.has(lineOf(tab)))

/** Where no ids pair them, the n-th label of a box belongs to its n-th panel. */
function pairByOrder(box: Element, labelled: ReadonlySet<Element>): void {
  const children = elementsIn(box)
  for (const child of children) pairByOrder(child, labelled)
  const list = children.find((child) => labelsIn(child).length > 1)
  if (!list) return
  const labels = labelsIn(list)
  const panes = panesIn(children.slice(children.indexOf(list) + 1), labels.length)
  if (!panes || panes.some((pane) => labelled.has(pane))) return
  for (const [index, pane] of panes.entries()) {
    show(pane)
    pane.children.unshift(labelOf(lineOf(labels[index] as Element)))
  }
  box.children = box.children.filter((child) => child !== list)
}

/** True for a list of tabs by role, by name, or of the labels of radio buttons. */
const isTabList = (element: Element): boolean =>
  element.properties['role'] === 'tablist' ||
  isElement(childOf(element), 'label') ||
  hasClass(element, /(?:^|[-_])tab(?:s|bed|list)?(?:$|[-_])/i)

/** The labels of a list of tabs, which has nothing else but radio buttons. */
function labelsIn(list: Element): Element[] {
  if (!isTabList(list)) return []
  const labels = elementsIn(list).filter((part) => !isInput(part))
  return labels.every((label) => mayBeLabel(label) && isShort(lineOf(label))) ? labels : []
}

const isInput = isTag('input')
const mayBeLabel = isTag('a button label li span')
/** In characters. */
const maxLabel = 60
const isShort = ({ length }: string): boolean => length > 0 && length <= maxLabel

/** As many panels as labels, next to their list or in one box after it. */
function panesIn(after: readonly Element[], count: number): Element[] | undefined {
  const visible = after.filter((part) => !isInput(part))
  const [first] = visible
  const inside = first ? elementsIn(first) : []
  if (inside.length === count && visible.length < count) return inside
  const panes = visible.slice(0, count)
  return panes.length === count && panes.every(isPane) ? panes : undefined
}

const isPane = (element: Element): boolean =>
  element.properties['role'] === 'tabpanel' || hasClass(element, /\b(?:tab|panel|pane)/i)

/** AWS writes tabs as a hidden definition list that a script transforms. */
function openList(tabs: Element): void {
  for (const list of elementsIn(tabs).filter(isTag('dl'))) {
    list.tagName = 'div'
    list.properties = {}
    for (const item of elementsIn(list))
      if (item.tagName === 'dt') Object.assign(item, labelOf(lineOf(item)))
      else if (item.tagName === 'dd') item.tagName = 'div'
  }
}

const labelOf = (label: string): Element => element('p', [element('strong', [textNode(label)])])
