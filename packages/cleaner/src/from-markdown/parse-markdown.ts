import { Marked, type Token, type TokenizerExtension, type Tokens } from 'marked'

/** What stands under a footnote; `tokens` are its blocks. */
export interface Footnote {
  type: 'footnote'
  raw: string
  id: string
  tokens: Token[]
}

export interface ParsedMarkdown {
  /** What is between the marks of the front matter; empty without one. */
  frontMatter: string
  tokens: readonly Token[]
}

const footnotes: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  // An expression would look through the rest of the page for each paragraph.
  start: (source) => {
    const at = source.indexOf('\n[^')
    return at < 0 ? undefined : at + 1
  },
  tokenizer(source) {
    const [raw, id = '', first = '', rest = ''] = footnote.exec(source) ?? []
    if (raw === undefined) return undefined
    const text = first + rest.replace(/\n(?: {1,4}|\t)/g, '\n')
    return { type: 'footnote', raw, id, tokens: this.lexer.blockTokens(text, []) }
  },
}

/** A definition with the lines that continue its paragraph, and those after it that are indented. */
const footnote =
  /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^\n]*)((?:\n(?!\s*\n| {0,3}\[\^[^\]\s]+\]:)[^\n]+|(?:\n[ \t]*)+\n(?: {4}|\t)[^\n]*)*)(?:\n|$)/

/**
 * Emphasis stays in the source as it is: to find it takes time quadratic in the length, and is
 * needed for headings only.
 */
const parser = new Marked({
  extensions: [footnotes],
  tokenizer: { emStrong: () => undefined, del: () => undefined },
})
const inlineParser = new Marked()
/** Characters of a text with emphasis. */
const maxEmphasised = 1_000

/** The tokens of a short text, with emphasis. */
export const parseInline = (text: string): readonly Token[] =>
  text.length > maxEmphasised
    ? [{ type: 'text', raw: text, text }]
    : inlineParser.Lexer.lexInline(text)

/** Markdown of GitHub, with front matter and footnotes. */
export function parseMarkdown(source: string): ParsedMarkdown {
  const { frontMatter, text } = splitFrontMatter(source)
  return { frontMatter, tokens: parser.lexer(text) }
}

/** YAML between lines of `---`, or TOML between lines of `+++`. */
function splitFrontMatter(source: string): { frontMatter: string; text: string } {
  const [mark = ''] = /^(?:---|\+\+\+)(?=[ \t]*\n)/.exec(source) ?? []
  const lines = mark === '' ? [] : source.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === mark)
  if (end < 0) return { frontMatter: '', text: source }
  return { frontMatter: lines.slice(1, end).join('\n'), text: lines.slice(end + 1).join('\n') }
}

export const childrenOf = (token: Token): readonly Token[] =>
  'tokens' in token ? (token.tokens ?? []) : []

export type { Token, Tokens }
