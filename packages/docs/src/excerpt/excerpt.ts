import { type Section, toChunks } from '@pith-mcp/cleaner'
import {
  type Content,
  createContent,
  decodePageToken,
  encodePageToken,
  estimateTokens,
  pageAt,
  paginate,
  resolveLength,
} from '@pith-mcp/paginator'
import { DocsError, quoteValue } from '#formats/docs-error'
import { readGrid } from './read-grid.ts'

/** How long tables are shortened. */
interface TableCut {
  /** A table with more rows is cut to `shownRows`. */
  maxRows: number
  shownRows: number
  /** The text below a shortened table. */
  note: (rows: number, shown: number, section: { id: string; title: string }) => string
}

/** Which part of a text to return. */
export interface ReadOptions {
  /** At most this many characters. 0: as many as allowed; absent or negative: 5,000. */
  maxLength?: number | undefined
  /** Code blocks in full; otherwise a stand-in states language and length. */
  includeCodeBlocks?: boolean | undefined
  /** Token of a page, from `Excerpt.nextPage` of the same call. */
  page?: string | undefined
  /** Offset into the text, as an alternative to `page`. */
  startIndex?: number | undefined
  /** Shorten long tables to their first rows. */
  tables?: TableCut | undefined
}

/** Part of a text, and the token of the next part. */
export interface Excerpt {
  markdown: string
  /** Offsets into the whole text, in characters. */
  start: number
  end: number
  total: number
  /** Estimated tokens of `markdown`. */
  tokens: number
  /** `markdown` is the passages for a query, with `…` for what is left out. */
  isPassages?: true
  /** Absent at the end of the text. */
  nextPage?: string
  /**
   * The page token had one wrong character and was corrected, because only one page could be meant.
   */
  pageCorrected?: true
  /** Code blocks of the whole text that are replaced by stand-ins. */
  codeBlocksOmitted: number
}

/** Upper bound of estimated tokens in one reply: clients reject larger ones. */
export const maxTokens = 9_500

/** A prepared text, and its name in page tokens. */
export interface Source {
  resource: string
  content: Content
  codeBlocksOmitted: number
}

/** Sections without any text but code and titles keep their code. */
export function createSource(
  resource: string,
  sections: readonly Section[],
  codeWanted: boolean,
  tables?: TableCut | undefined,
): Source {
  const includeCodeBlocks = codeWanted || sections.every(isOnlyCode)
  const chunks = toChunks(tables ? cutTables(sections, tables) : sections, {
    code: includeCodeBlocks ? 'keep' : 'stand-in',
  })
  return {
    resource,
    content: createContent(chunks),
    codeBlocksOmitted: chunks.filter((chunk) => chunk.isStandIn).length,
  }
}

/** Sections with their long tables shortened. */
function cutTables(
  sections: readonly Section[],
  { maxRows, shownRows, note }: TableCut,
): Section[] {
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => {
      const grid = block.kind === 'table' ? readGrid(block) : undefined
      if (!grid || grid.rows.length <= maxRows) return block
      const lines = block.markdown.split('\n').slice(0, 1 + (block.headRows ?? 1) + shownRows)
      const text = note(grid.rows.length, shownRows, section)
      return { ...block, markdown: `${lines.join('\n')}\n\n${text}` }
    }),
  }))
}

/** The first block of an entry is its term. */
const isOnlyCode = ({ kind, blocks }: Section): boolean =>
  blocks.every((block, at) => block.kind === 'code' || (kind === 'entry' && at === 0))

/**
 * The requested part of a text.
 *
 * @throws {DocsError} `bad_argument` or `page_changed` for a start that does not exist.
 */
export function readExcerpt(
  source: Source,
  options: ReadOptions,
  cap: number,
  tokenCap: number = maxTokens,
): Excerpt {
  const { content, resource, codeBlocksOmitted } = source
  const budget = resolveLength(options.maxLength, { cap })
  const { start, isCorrected } = resolveStart(source, options, budget)
  let page = pageAt(content, start, budget)
  for (let tries = 0; tries < 8; tries++) {
    const tokens = estimateTokens(page.text)
    if (tokens <= tokenCap) break
    page = pageAt(content, start, Math.floor((page.text.length * tokenCap * 0.9) / tokens))
  }
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
        `Pass the token exactly as in the previous reply${decoded.valid?.length ? ` (one of ${decoded.valid.slice(0, 5).join(', ')})` : ''}, or leave out \`page\` to begin at the first page.`,
      )
    throw new DocsError(
      'page_changed',
      `The page token ${quoteValue(page)} does not belong to this text: the page has changed, or the token was issued for another section or with another setting for code blocks.`,
      'Leave out `page` to begin at the first page.',
    )
  }
  if (!Number.isFinite(startIndex) || startIndex < 0 || (startIndex >= total && startIndex > 0))
    throw new DocsError(
      'bad_argument',
      `The offset ${startIndex} is outside the text, which has ${total} ${total === 1 ? 'character' : 'characters'}.`,
      `Pass an offset from 0 to ${Math.max(0, total - 1)}.`,
    )
  return { start: startIndex, isCorrected: false }
}
