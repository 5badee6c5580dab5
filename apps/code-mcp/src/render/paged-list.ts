import { createHash } from 'node:crypto'
import {
  createContent,
  decodePageToken,
  encodePageToken,
  pageAt,
  paginate,
} from '@pith-mcp/paginator'
import { CallError } from '@pith-mcp/server-kit/tools'

const budget = { budget: 4_000, unit: 'tokens' } as const

/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 60

interface PagedList {
  text: string
  /** The line with the call for the next page, if there is one. */
  next: string[]
  data: { isPartial: boolean; nextPageToken?: string }
}

/**
 * Lines, or the page of them that a token names.
 *
 * @throws {CallError} for a token of other lines.
 */
export function pagedList(
  lines: readonly string[],
  resource: string,
  token: string | undefined,
  callFor: (token: string) => string,
): PagedList {
  const content = createContent(lines.map((line) => ({ kind: 'line', text: `${line}\n` })))
  const digest = createHash('sha256').update(content.text).digest('hex')
  const decoded =
    token === undefined
      ? ({ ok: true, start: 0 } as const)
      : decodePageToken(token, {
          resource,
          content: digest,
          starts: () => paginate(content, budget).map(({ start }) => start),
        })
  if (!decoded.ok)
    throw new CallError(
      `${JSON.stringify(token?.slice(0, maxShownLength))} is not a page_token of this list, or the list has changed.`,
      'Leave out page_token to begin at the first page.',
    )
  const { text, isPartial, next } = pageAt(content, decoded.start, budget)
  const nextPageToken =
    next === undefined ? undefined : encodePageToken({ resource, start: next, content: digest })
  return {
    text: text.replace(/\n$/, ''),
    next: nextPageToken === undefined ? [] : [`[next: ${callFor(nextPageToken)}]`],
    data: { isPartial, ...(nextPageToken !== undefined && { nextPageToken }) },
  }
}
