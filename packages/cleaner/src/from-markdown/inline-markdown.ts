import { decodeHTMLStrict } from 'entities/decode'
import { childrenOf, parseInline, type Token } from './parse-markdown.ts'

export interface InlineOptions {
  links: 'text' | 'keep' | 'reference'
}

/** The source of inline tokens, with links and images reduced to their text, and without HTML. */
export const inlineMarkdown = (tokens: readonly Token[], options: InlineOptions): string =>
  sourcesOf(tokens, options).replace(/\n[ \t]+/g, '\n')

const sourcesOf = (tokens: readonly Token[], options: InlineOptions): string =>
  tokens.map((token) => sourceOf(token, options)).join('')

function sourceOf(token: Token, options: InlineOptions): string {
  const { raw } = token
  switch (token.type) {
    case 'checkbox':
      return ''
    case 'html':
      return /^<br\b/i.test(raw) ? '\n' : ''
    case 'image': {
      const alt = plainText(childrenOf(token))
      return alt ? `![${alt}]` : ''
    }
    case 'link':
      // The definitions of references are not shown.
      if (options.links !== 'text' && !isReference(raw)) return raw
      return sourcesOf(childrenOf(token), options)
    default:
      return raw
  }
}

const isReference = (raw: string): boolean => raw.startsWith('[') && !raw.endsWith(')')

/** Stands for what is no plain text; Markdown has none. */
const hole = '\0'

/** The text of tokens, without HTML and marks of emphasis. */
export function plainText(tokens: readonly Token[]): string {
  const others: string[] = []
  const source = tokens
    .map((token) => {
      if (token.type === 'text' && childrenOf(token).length === 0)
        return token.raw.replaceAll(hole, '')
      others.push(textOf(token))
      return hole
    })
    .join('')
  const text = /[*_~]/.test(source)
    ? parseInline(source).map(withoutMarks).join('')
    : decodeHTMLStrict(source)
  return text.replaceAll(hole, () => others.shift() ?? '')
}

const withoutMarks = (token: Token): string =>
  childrenOf(token).map(withoutMarks).join('') || decodeHTMLStrict(token.raw)

function textOf(token: Token): string {
  const children = childrenOf(token)
  if (children.length > 0) return plainText(children)
  if (['html', 'br', 'checkbox', 'space'].includes(token.type)) return ''
  return 'text' in token ? String(token.text) : token.raw
}
