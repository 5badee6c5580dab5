import { element } from './element.mjs'

/**
 * Marks are comments of the Markdown. The list after `<!-- cards -->` becomes cards. Sections between
 * `<!-- tabs NAME -->` and `<!-- /tabs -->` are panels of one group: a script makes tabs of their
 * headings, and without it all are visible. The choice is remembered by NAME.
 */
export function arrange(tree) {
  const out = []
  let cards = false
  let tabs
  for (const node of tree.children) {
    const [, kind, name] = /^(\/?\w+)(?: (\w+))?$/.exec(node.properties?.dataMark ?? '') ?? []
    if (kind === 'cards') cards = true
    else if (kind === 'tabs') {
      tabs = element('div', { className: ['tabs'], dataName: name }, [])
      out.push(tabs)
    } else if (kind === '/tabs') tabs = undefined
    else if (tabs) addToPanel(tabs, node)
    else {
      if (cards && node.tagName === 'ul') {
        node.properties.className = ['cards']
        cards = false
      }
      out.push(node)
    }
  }
  tree.children = out
}

/** A heading of the level of the first one begins a panel. */
function addToPanel(tabs, node) {
  const [first] = tabs.children
  const isHeading = /^h\d$/.test(node.tagName ?? '')
  if (isHeading && (!first || first.children[0].tagName === node.tagName))
    tabs.children.push(element('div', { className: ['panel'] }, []))
  tabs.children.at(-1)?.children.push(node)
}
