import { type Section, toChunks } from '@pith-mcp/cleaner'
import {
  type Content,
  type ContentPage,
  createContent,
  decodePageToken,
  encodePageToken,
  estimateTokens,
  pageAt,
  paginate,
  resolveLength,
} from '@pith-mcp/paginator'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { cutTables, type TableCut } from './cut-tables.ts'

/** How much of a text to give, and from where. */
export interface ReadOptions {
  /** Characters at most. 0: as many as are allowed; absent or negative: 5,000. */
  maxLength?: number
  /** Code blocks in full; otherwise each is a stand-in that names language and length. */
  includeCodeBlocks?: boolean
  /** Token of a page, from `Excerpt.nextPage` of the same call. */
  page?: string
  /** Offset into the text, instead of `page`. */
  startIndex?: number
  /** Long tables give their first rows only. */
  tables?: TableCut
}

/** Part of a text, with what it takes to go on. */
export interface Excerpt {
  markdown: string
  /** Offsets into the whole text, in characters. */
  start: number
  end: number
  total: number
  /** Estimated tokens of `markdown`. */
  tokens: number
  /** Absent when the text ends here. */
  nextPage?: string
  /** The page token had a slip of one character, and only this page could be meant. */
  pageCorrected?: true
  /** Code blocks of the whole text that stand-ins stand for. */
  codeBlocksOmitted: number
}

/** Never more than this, whatever its characters cost: clients refuse larger replies. */
export const mostTokens = 9_500

/** A prepared text, and its name in page tokens. */
export interface Source {
  resource: string
  content: Content
  codeBlocksOmitted: number
}

export function createSource(
  resource: string,
  sections: readonly Section[],
  includeCodeBlocks: boolean,
  tables?: TableCut,
): Source {
  const chunks = toChunks(tables ? cutTables(sections, tables) : sections, {
    code: includeCodeBlocks ? 'keep' : 'stand-in',
  })
  const code = chunks.filter((chunk) => chunk.kind === 'code').length
  return {
    resource,
    content: createContent(chunks),
    codeBlocksOmitted: includeCodeBlocks ? 0 : code,
  }
}

/**
 * The excerpt a caller asked for.
 *
 * @throws {DocsError} `bad_argument` or `page_changed` for a start that does not exist.
 */
export function readExcerpt(
  source: Source,
  options: ReadOptions,
  cap: number,
  tokenCap: number = mostTokens,
): Excerpt {
  const { content, resource, codeBlocksOmitted } = source
  const budget = resolveLength(options.maxLength, { cap })
  const { start, isCorrected } = resolveStart(source, options, budget)
  const page = fitPage(content, start, budget, tokenCap)
  return {
    markdown: page.text,
    start: page.start,
    end: page.end,
    total: page.total,
    tokens: estimateTokens(page.text),
    codeBlocksOmitted,
    ...(isCorrected && { pageCorrected: true as const }),
    ...(page.next !== undefined && {
      nextPage: encodePageToken({ resource, start: page.next, content: content.text }),
    }),
  }
}

/** A page within the budget in characters and within the ceiling in tokens. */
function fitPage(content: Content, start: number, budget: number, tokenCap: number): ContentPage {
  let page = pageAt(content, start, budget)
  for (let tries = 0; tries < 8; tries++) {
    const tokens = estimateTokens(page.text)
    if (tokens <= tokenCap) break
    page = pageAt(content, start, Math.floor((page.text.length * tokenCap * 0.9) / tokens))
  }
  return page
}

function resolveStart(
  { content, resource }: Source,
  { page, startIndex = 0 }: ReadOptions,
  budget: number,
): { start: number; isCorrected: boolean } {
  const total = content.text.length
  if (page !== undefined && page.trim() !== '') {
    const decoded = decodePageToken(page, {
      resource,
      content: content.text,
      starts: () => paginate(content, { budget }).map(({ start }) => start),
    })
    if (decoded.ok) return { start: decoded.start, isCorrected: decoded.corrected === true }
    if (decoded.reason === 'malformed')
      throw new DocsError(
        'bad_argument',
        `${quoteValue(page)} is not a page token.`,
        `Pass the token exactly as the reply before gave it${decoded.valid?.length ? ` (one of ${decoded.valid.slice(0, 5).join(', ')})` : ''}, or leave \`page\` out to begin at the first page.`,
      )
    throw new DocsError(
      'page_changed',
      `The page token ${quoteValue(page)} is not of this text: the page has changed since, or the token was given for another section or with other code blocks.`,
      'Leave `page` out to begin at the first page.',
    )
  }
  if (!Number.isFinite(startIndex) || startIndex < 0 || (startIndex >= total && startIndex > 0))
    throw new DocsError(
      'bad_argument',
      `The offset ${startIndex} is outside the text, which has ${total} characters.`,
      `Pass one from 0 to ${Math.max(0, total - 1)}.`,
    )
  return { start: startIndex, isCorrected: false }
}
