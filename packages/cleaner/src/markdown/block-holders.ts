import type { Element, Root } from 'hast'

/** Elements that stand on lines of their own. */
export const blockTags: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd details dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol
  p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
)

/** Elements with a block-level element somewhere below: not to be treated as running text. */
export function findBlockHolders(root: Root): ReadonlySet<Element> {
  const holders = new Set<Element>()
  for (const child of root.children) if (child.type === 'element') search(child)
  return holders

  function search(element: Element): boolean {
    let holds = false
    for (const child of element.children)
      if (child.type === 'element') holds = search(child) || holds
    if (holds) holders.add(element)
    return holds || blockTags.has(element.tagName)
  }
}
