import type { Nodes } from 'mdast'

export interface InlineOptions {
  source: string
  links: 'text' | 'keep' | 'reference'
}

interface Edit {
  start: number
  end: number
  text: string
}

/** The source of inline nodes, with links and images reduced to their text, and without HTML. */
export function editedSlice(nodes: readonly Nodes[], options: InlineOptions): string {
  const { source, links } = options
  const start = nodes[0]?.position?.start.offset ?? 0
  const end = nodes.at(-1)?.position?.end.offset ?? 0
  const edits: Edit[] = []
  for (const node of nodes) collect(node)
  let text = ''
  let at = start
  for (const edit of edits) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  // The prefix of lines in a list or quotation is added again by the block.
  return (text + source.slice(at, end)).replace(/\n[ \t]*(?:> ?)*/g, '\n')

  function collect(node: Nodes): void {
    const text = replacement(node)
    const from = node.position?.start.offset ?? 0
    const to = node.position?.end.offset ?? 0
    if (text !== undefined) edits.push({ start: from, end: to, text })
    else if ('children' in node) for (const child of node.children) collect(child)
  }

  /** Replacement for a node; undefined to keep its source. */
  function replacement(node: Nodes): string | undefined {
    if (node.type === 'html') return /^<br\b/i.test(node.value) ? '\n' : ''
    if (node.type === 'image' || node.type === 'imageReference')
      return node.alt ? `![${node.alt}]` : ''
    if (node.type === 'linkReference' || (node.type === 'link' && links === 'text'))
      return editedSlice(node.children, options)
    return undefined
  }
}
