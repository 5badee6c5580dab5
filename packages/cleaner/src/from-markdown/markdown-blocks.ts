import { fenced } from '../markdown/code-block.ts'
import type { FlatNode } from '../markdown/flat-tree.ts'
import { blocksOf, listBlocks, prefixed, quoted } from '../markdown/prefixed.ts'
import { tableMarkdown } from '../markdown/table.ts'
import type { Block } from '../page.ts'
import { type InlineOptions, inlineMarkdown, plainText } from './inline-markdown.ts'
import { childrenOf, type Footnote, type Token, type Tokens } from './parse-markdown.ts'

export interface MarkdownBlockOptions extends InlineOptions {
  /** Converts a block of raw HTML into nodes. */
  cleanFragment: (html: string) => FlatNode[]
  /** Creates a fragment for a heading without one. */
  slug: (title: string) => string
}

export function markdownNodes(token: Token, options: MarkdownBlockOptions): FlatNode[] {
  switch (token.type) {
    case 'heading':
      return [headingOf(token as Tokens.Heading, options)]
    case 'html':
      return options.cleanFragment(token.raw)
    case 'code':
      return blockNodes([codeOf(token as Tokens.Code)])
    case 'table':
      return blockNodes([{ kind: 'table', markdown: tableOf(token as Tokens.Table, options) }])
    case 'list':
      return blockNodes(listOf(token as Tokens.List, options))
    case 'blockquote':
      return blockNodes(quoteOf(token, options))
    case 'paragraph':
    case 'text': {
      const markdown = inlineMarkdown(childrenOf(token), options).trim()
      return markdown === '' ? [] : blockNodes([{ kind: 'text', markdown }])
    }
    case 'footnote': {
      const { id, tokens } = token as Footnote
      return blockNodes(prefixed(innerBlocks(tokens, options), `[^${id}]: `, '    '))
    }
    default:
      return []
  }
}

const blockNodes = (blocks: readonly Block[]): FlatNode[] =>
  blocks.map((block) => ({ type: 'flatBlock', block }))

/** The parser adds a line to code that ends with an empty one. */
const codeOf = ({ text, lang = '' }: Tokens.Code): Block =>
  fenced({
    value: text.replace(/\n$/, ''),
    language: lang.split(/\s/, 1)[0]?.toLowerCase() || undefined,
  })

function headingOf(heading: Tokens.Heading, { slug }: MarkdownBlockOptions): FlatNode {
  const text = plainText(heading.tokens).trim()
  const [, title = '', id] = /^(.*?)(?:\s*\{#([^}\s]+)[^}]*\})?$/s.exec(text) ?? []
  // `## Rules<a name="rules"></a>`, as some sites export it.
  const anchors = heading.tokens.flatMap(({ type, raw }) => (type === 'html' ? anchorIn(raw) : []))
  const [headingId = slug(title), ...aliases] = id === undefined ? anchors : [id, ...anchors]
  return { type: 'flatHeading', level: heading.depth, id: headingId, aliases, title }
}

const anchorIn = (html: string): string[] =>
  /^<a\s[^<>]*?\b(?:name|id)=["']?([^"'\s<>]{1,200})/i.exec(html)?.slice(1, 2) ?? []

function tableOf({ header, rows }: Tokens.Table, options: MarkdownBlockOptions): string {
  const cellsOf = (row: readonly Tokens.TableCell[]): string[] =>
    row.map(({ tokens }) => {
      const markdown = inlineMarkdown(tokens, options).replaceAll('\n', '<br>').trim()
      // The parser has taken the marks of those in the source.
      return markdown.replaceAll('|', '\\|')
    })
  return tableMarkdown(cellsOf(header), rows.map(cellsOf))
}

function innerBlocks(tokens: readonly Token[], options: MarkdownBlockOptions): Block[] {
  return tokens.flatMap((token) =>
    token.type === 'heading'
      ? [{ kind: 'text' as const, markdown: `**${plainText(childrenOf(token))}**` }]
      : blocksOf(markdownNodes(token, options)),
  )
}

function listOf(list: Tokens.List, options: MarkdownBlockOptions): Block[] {
  const first = list.start === '' ? 1 : list.start
  const items = list.items.map((item, index) => {
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : ''
    const marker = list.ordered ? `${first + index}. ` : '- '
    const blocks = innerBlocks(item.tokens, options)
    return prefixed(blocks, marker + box, ' '.repeat(marker.length))
  })
  return listBlocks(items)
}

const alert = /^\[!([A-Z]+)\][ \t]*\n?/

function quoteOf(quote: Token, options: MarkdownBlockOptions): Block[] {
  const inner = innerBlocks(childrenOf(quote), options).map((block, index) =>
    index === 0 ? { ...block, markdown: block.markdown.replace(alert, label) } : block,
  )
  return quoted(inner)
}

/** GitHub's `[!NOTE]`. */
const label = (_match: string, kind: string): string =>
  `**${kind.charAt(0)}${kind.slice(1).toLowerCase()}:** `
