import type { Blockquote, Heading, List, Nodes, Table } from 'mdast'
import { toString as plainText } from 'mdast-util-to-string'
import { fenced } from '../markdown/code-block.ts'
import type { FlatNode } from '../markdown/flat-tree.ts'
import { blocksOf, listBlocks, prefixed, quoted } from '../markdown/prefixed.ts'
import { tableMarkdown } from '../markdown/table.ts'
import type { Block } from '../page.ts'
import { editedSlice, type InlineOptions } from './edited-slice.ts'

export interface MarkdownBlockOptions extends InlineOptions {
  /** Converts a block of raw HTML into nodes. */
  cleanFragment: (html: string) => FlatNode[]
  /** Creates a fragment for a heading without one. */
  slug: (title: string) => string
}

export function markdownNodes(node: Nodes, options: MarkdownBlockOptions): FlatNode[] {
  switch (node.type) {
    case 'heading':
      return [headingOf(node, options)]
    case 'html':
      return options.cleanFragment(node.value)
    case 'code':
      return blockNodes([fenced({ value: node.value, language: node.lang?.toLowerCase() })])
    case 'table':
      return blockNodes([{ kind: 'table', markdown: tableOf(node, options) }])
    case 'list':
      return blockNodes(listOf(node, options))
    case 'blockquote':
      return blockNodes(quoteOf(node, options))
    case 'paragraph': {
      const markdown = editedSlice(node.children, options).trim()
      return markdown === '' ? [] : blockNodes([{ kind: 'text', markdown }])
    }
    case 'footnoteDefinition':
      return blockNodes(
        prefixed(innerBlocks(node.children, options), `[^${node.identifier}]: `, '    '),
      )
    default:
      return []
  }
}

const blockNodes = (blocks: readonly Block[]): FlatNode[] =>
  blocks.map((block) => ({ type: 'flatBlock', block }))

function headingOf(heading: Heading, { slug }: MarkdownBlockOptions): FlatNode {
  const text = plainText(heading, { includeHtml: false }).trim()
  const [, title = '', id] = /^(.*?)(?:\s*\{#([^}\s]+)[^}]*\})?$/s.exec(text) ?? []
  // `## Rules<a name="rules"></a>`, as some sites export it.
  const anchors = heading.children.flatMap((node) =>
    node.type === 'html' ? anchorIn(node.value) : [],
  )
  const [headingId = slug(title), ...aliases] = id === undefined ? anchors : [id, ...anchors]
  return { type: 'flatHeading', level: heading.depth, id: headingId, aliases, title }
}

const anchorIn = (html: string): string[] =>
  /^<a\s[^<>]*?\b(?:name|id)=["']?([^"'\s<>]{1,200})/i.exec(html)?.slice(1, 2) ?? []

function tableOf(table: Table, options: MarkdownBlockOptions): string {
  const rows = table.children.map((row) =>
    row.children.map((cell) => {
      return editedSlice(cell.children, options).replaceAll('\n', '<br>').trim()
    }),
  )
  const [header = [], ...body] = rows
  return tableMarkdown(header, body)
}

function innerBlocks(nodes: readonly Nodes[], options: MarkdownBlockOptions): Block[] {
  return nodes.flatMap((node) =>
    node.type === 'heading'
      ? [{ kind: 'text' as const, markdown: `**${plainText(node)}**` }]
      : blocksOf(markdownNodes(node, options)),
  )
}

function listOf(list: List, options: MarkdownBlockOptions): Block[] {
  const first = list.start ?? 1
  const items = list.children.map((item, index) => {
    const box = item.checked == null ? '' : item.checked ? '[x] ' : '[ ] '
    const marker = list.ordered ? `${first + index}. ` : '- '
    const blocks = innerBlocks(item.children, options)
    return prefixed(blocks, marker + box, ' '.repeat(marker.length))
  })
  return listBlocks(items)
}

const alert = /^\[!([A-Z]+)\][ \t]*\n?/

function quoteOf(quote: Blockquote, options: MarkdownBlockOptions): Block[] {
  const inner = innerBlocks(quote.children, options).map((block, index) =>
    index === 0 ? { ...block, markdown: block.markdown.replace(alert, label) } : block,
  )
  return quoted(inner)
}

/** GitHub's `[!NOTE]`. */
const label = (_match: string, kind: string): string =>
  `**${kind.charAt(0)}${kind.slice(1).toLowerCase()}:** `
