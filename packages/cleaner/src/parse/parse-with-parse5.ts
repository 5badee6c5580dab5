import type { Element, ElementContent, Root } from 'hast'
import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  parse,
  html as standardHtml,
  type TreeAdapter,
} from 'parse5'
import { CleanError } from '../clean-error.ts'
import { shared, toProperties } from './hast-properties.ts'
import { shadowRootAttributes } from './open-shadow-roots.ts'

/** Bounds of the elements of a page. */
export interface ElementBounds {
  readonly maxElements: number
  /** Throws if the time is up. */
  readonly checkTime: () => void
}

/** Reading the clock takes time. */
export const elementsBetweenChecks = 1024

/**
 * Parse a document of any kind, as browsers do without scripting, without positions and comments.
 * Templates have content only as shadow roots, and with `readsTemplates`.
 *
 * @throws {CleanError} `too_large` past `maxElements`, and the errors of `checkTime`.
 */
export function parseWithParse5(
  document: string,
  bounds: ElementBounds,
  readsTemplates = false,
): Root {
  const treeAdapter = createAdapter(bounds)
  const parsed = parse(document, { treeAdapter, scriptingEnabled: false })
  const root: Root = { type: 'root', children: [] }
  // Not recursive, because a page may be of any depth.
  const open: [DefaultTreeAdapterMap['parentNode'], Root | Element][] = [[parsed, root]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next
    to.children = from.childNodes.map((child) => {
      const node = toHast(child)
      if (node.type !== 'element') return node
      const isShadow = 'content' in child && child.attrs.some(isShadowAttribute)
      const isOpen = 'content' in child && (isShadow || readsTemplates)
      open.push([isOpen ? child.content : (child as DefaultTreeAdapterMap['element']), node])
      return node
    })
  }
  return root
}

const isShadowAttribute = ({ name }: { name: string }): boolean =>
  shadowRootAttributes.includes(name)

/** Comments are not content; left out of the tree, they do not separate text. */
function createAdapter(bounds: ElementBounds): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      if (++elements > bounds.maxElements)
        throw new CleanError(
          'too_large',
          `The page has more than ${bounds.maxElements} elements. Raise \`maxElements\` to clean it.`,
        )
      if (elements % elementsBetweenChecks === 0) bounds.checkTime()
      return defaultTreeAdapter.createElement(tagName, namespace, attributes)
    },
    appendChild(parent, node) {
      if (!defaultTreeAdapter.isCommentNode(node)) defaultTreeAdapter.appendChild(parent, node)
    },
  }
}

/** A node without its children. */
function toHast(node: DefaultTreeAdapterMap['childNode']): ElementContent {
  if ('value' in node) return { type: 'text', value: node.value }
  if (!('attrs' in node)) return { type: 'doctype' } as never
  const schema = node.namespaceURI === standardHtml.NS.SVG ? 'svg' : 'html'
  const properties = toProperties(node.attrs, schema)
  return { type: 'element', tagName: shared(node.tagName), properties, children: [] }
}
