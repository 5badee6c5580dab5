import { cleanMarkdown } from '@pith-mcp/cleaner'
import { Marked, type Token, type Tokens } from 'marked'
import type { Format, PageLink } from '../format.ts'

/** Of Markdown: its parser can take time quadratic in the length, and has no limit. */
export const maxInlineMarkdown: number = 2 ** 15

export const markdown: Format = {
  name: 'Markdown',
  types: /^(?:text|application)\/(?:x-|x-web-|vnd\.daringfireball\.)?(?:markdown|gfm)$/,
  names: /\.(?:md|mdx|markdown)$/i,
  maxInlineLength: maxInlineMarkdown,
  read: cleanMarkdown,
  links: markdownLinks,
}

/** The links of Markdown. */
export function markdownLinks(text: string, base: string): PageLink[] {
  return llmsLinks(text, base).map(({ url, title }) => ({ rel: 'other', url, title }))
}

const maxTitleLength = 500
const maxAboutLength = 500

export interface LlmsLink {
  url: string
  title: string
  about: string
}

/** To find emphasis takes time quadratic in the length. */
const parser = new Marked({ tokenizer: { emStrong: () => undefined, del: () => undefined } })

/** The links of an llms.txt, `- [Title](url): description`: each URL once, without its fragment. */
export function llmsLinks(text: string, base: string): LlmsLink[] {
  const links = new Map<string, LlmsLink>()
  for (const { href, title, rest } of linksIn(parser.lexer(text))) {
    if (!URL.canParse(href, base)) continue
    const url = new URL(href, base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || links.has(url.href)) continue
    const [line = ''] = rest.slice(0, maxAboutLength).split('\n', 1)
    const about = line.replace(/^\s*[:–—-]\s*/, '').trim()
    links.set(url.href, { url: url.href, title: title.slice(0, maxTitleLength).trim(), about })
  }
  return [...links.values()]
}

interface FoundLink {
  href: string
  title: string
  /** The source after it. */
  rest: string
}

function linksIn(tokens: readonly Token[]): FoundLink[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'link') return groupsIn(token).flatMap(linksIn)
    const { href, tokens: inner } = token as Tokens.Link
    const rest = tokens.slice(at + 1).map(({ raw }) => raw)
    return { href, title: inner.map(titleOf).join(''), rest: rest.join('') }
  })
}

const titleOf = (token: Token): string =>
  token.type === 'image' ? String(token['text']) : token.raw

/** The lists of tokens in a token: its content, the items of a list, the cells of a table. */
function groupsIn(token: Token): Token[][] {
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => tokens)
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => tokens))
  }
  return 'tokens' in token && token.tokens ? [token.tokens] : []
}
