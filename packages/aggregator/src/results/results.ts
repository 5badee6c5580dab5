import { randomBytes } from 'node:crypto'
import {
  decodePageToken,
  describePage,
  encodePageToken,
  estimateTokens,
  pageAt,
  paginate,
} from '@pith-mcp/paginator'
import { AggregatorError } from '../aggregator-error.ts'
import type { Fields } from '../upstream/connection.ts'
import { contentOf, type Document, documentOf, textsIn } from './document.ts'
import { withoutLargeBlocks } from './large-blocks.ts'
import { outlineOf } from './outline.ts'
import type { ResultStore } from './result-store.ts'

export interface ResultBudget {
  /** Most characters of text in one reply. Default 20,000. */
  characters: number
  /** Most tokens of a model, as estimated. Default 10,000. */
  tokens: number
}

/** Makes long results fit, and knows the way to the rest of them. */
export interface Results {
  /** The result as it is if it fits, else its first page; `share` results have one reply. */
  fit(result: Fields, share?: number): Fields
  /** A text of our own, in pages if it is long. */
  page(document: Document, place: Place): string
  /** @throws {AggregatorError} `unknown_result` */
  read(id: string): Promise<Fields>
  /** Characters of text that were not sent since they were not asked for. */
  readonly heldBack: number
}

/** What a document is to `read_more`, and which page of it is wanted. */
export interface Place {
  /** Arguments of `read_more` that lead to the document, without the page. */
  args: Readonly<Record<string, string>>
  /** A page token; the first page without. */
  page?: string | undefined
  /** Said above the page. */
  outline?: readonly string[]
  /** How many have one reply together. */
  share?: number
}

/** Room for what stands around a page: header, outline, the call that leads on. */
const frameCharacters = 2_000

export function createResults(store: ResultStore, budget: ResultBudget): Results {
  let heldBack = 0

  function fits(length: number, share: number, text: () => string): boolean {
    if (length * share > budget.characters) return false
    // No script needs more than about a token for a sign.
    return length * share <= budget.tokens || estimateTokens(text()) * share <= budget.tokens
  }

  function page(document: Document, place: Place): string {
    const { args, page: token, outline = [], share = 1 } = place
    const room = (budget.characters - frameCharacters) / share
    const pageCharacters = Math.max(500, Math.floor(room))
    const content = contentOf(document)
    const resource = JSON.stringify(args)
    const start = token === undefined ? 0 : startOf(token, resource, content, pageCharacters)
    let current = pageAt(content, start, pageCharacters)
    const tokens = Math.floor((budget.tokens * 0.9) / share)
    if (estimateTokens(current.text) > tokens)
      current = pageAt(content, start, { budget: tokens, unit: 'tokens' })
    if (!current.isPartial) return current.text
    const size = { budget: current.end - current.start }
    const info = describePage(content, current, { resource, ...size })
    const next =
      current.next === undefined
        ? undefined
        : encodePageToken({ resource, start: current.next, content: document.text })
    const header = `[characters ${current.start}–${current.end} of ${current.total}, page ${info.currentPage} of ${info.totalPages}]`
    const more = `[more: read_more(${JSON.stringify({ ...args, page: next })})${'query' in args || 'path' in args ? '' : `; or read_more with query (text)${document.isJson ? ' or path (JSONPath)' : ''}`}]`
    const about =
      outline.length > 0 && start === 0 ? `[holds]\n${outline.join('\n')}\n[/holds]\n` : ''
    return `${header}\n${about}${current.text}\n${next === undefined ? '[end]' : more}`
  }

  return {
    page,
    get heldBack() {
      return heldBack
    },
    fit(result, share = 1) {
      const structured = result['structuredContent']
      const texts = textsIn(result)
      const length = texts.reduce((sum, text) => sum + text.length, 0)
      const whole = (): string =>
        structured === undefined ? texts.join('\n') : texts.join('\n') + JSON.stringify(structured)
      const total = structured === undefined ? length : whole().length
      const bare = withoutLargeBlocks(result)
      if (bare.isWhole && fits(total, share, whole)) return result
      const id = `r${randomBytes(6).toString('hex')}`
      const document = documentOf(result)
      const kept = { ...(result['_meta'] as object | undefined), [metaKey]: { result: id } }
      store.put(id, JSON.stringify(result))
      const others = bare.blocksFor(id)
      // Without the repetition it may fit.
      const text = fits(document.text.length, share, () => document.text)
        ? document.text
        : page(document, { args: { result: id }, outline: outlineOf(document), share })
      heldBack += Math.max(0, total - text.length)
      const { structuredContent: _, ...rest } = result
      return {
        ...rest,
        content: [...(text === '' ? [] : [{ type: 'text', text }]), ...others],
        _meta: kept,
      }
    },
    async read(id) {
      const text = /^r[0-9a-f]{12}$/.test(id) ? await store.get(id) : undefined
      if (text !== undefined) return JSON.parse(text) as Fields
      throw new AggregatorError(
        'unknown_result',
        `There is no result ${JSON.stringify(id)}; results are kept for an hour.`,
        'Call the tool again.',
      )
    },
  }
}

function startOf(
  token: string,
  resource: string,
  content: ReturnType<typeof contentOf>,
  pageCharacters: number,
): number {
  const starts = () => paginate(content, { budget: pageCharacters }).map(({ start }) => start)
  const decoded = decodePageToken(token, { resource, content: content.text, starts })
  if (decoded.ok) return decoded.start
  throw new AggregatorError(
    'bad_argument',
    `page ${JSON.stringify(token)} is no page of this result.`,
    'Give the page that the reply before named, or none for the first page.',
  )
}

/** Where programs find under which name the whole result is kept. */
export const metaKey = 'io.github.pith-mcp/result'
