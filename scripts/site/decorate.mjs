import { SKIP, visit } from 'unist-util-visit'
import { arrange } from './arrange.mjs'
import { element } from './element.mjs'

/**
 * Wide content scrolls in its own box, also by keyboard; empty headings are removed; pictures with a
 * dark variant use it.
 */
export function decorate(tree) {
  arrange(tree)
  visit(tree, 'element', (node, at, parent) => {
    if (node.tagName === 'pre') node.properties.tabIndex = 0
    if (node.tagName === 'table') {
      visit(node, { tagName: 'th' }, (cell) => {
        if (cell.children.length === 0) cell.tagName = 'td'
      })
      const properties = { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: 'Table' }
      parent.children[at] = element('div', properties, [node])
      return SKIP
    }
    if (node.tagName !== 'img') return undefined
    const { dataDark, ...properties } = node.properties
    node.properties = { ...properties, loading: 'lazy' }
    if (!dataDark) return undefined
    const dark = { srcSet: dataDark, media: '(prefers-color-scheme: dark)' }
    parent.children[at] = element('picture', {}, [element('source', dark, []), node])
    return SKIP
  })
}
