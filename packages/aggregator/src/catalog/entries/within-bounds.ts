import { type Fields, isFields } from '../../protocol/message.ts'
import type { OfferKind, Offers, Unread } from './catalog-entry.ts'

/** Of one definition as JSON. Whoever reads it, compares it and counts it does so at once. */
const longestDefinition = 256 * 1024
/** Of all lists of a server together, as JSON. */
const mostBytes = 8 * 1024 * 1024
const mostItems = 10_000
/** What is left out beyond so many is counted. */
const mostNamed = 100
const longestName = 200
/** Deeper definitions say nothing more, and would overflow whoever walks through them. */
const deepest = 100

/** The lists of a server as far as they are kept, and what is left out. */
export interface BoundedOffers extends Offers {
  unread?: readonly Unread[]
  beyond?: Partial<Record<OfferKind, number>>
}

/** One list, as far as it was looked at. */
export interface SiftedList {
  kept: { item: Fields; bytes: number }[]
  bytes: number
  unread: Unread[]
  unreadBytes: number
  /** So many at least were not looked at. */
  beyond: number
}

export const emptyList = (): SiftedList => ({
  kept: [],
  bytes: 0,
  unread: [],
  unreadBytes: 0,
  beyond: 0,
})

/** Add a page of a list to what was read of it before. */
export function sift(kind: OfferKind, page: readonly unknown[], list: SiftedList): void {
  for (const [index, item] of page.entries()) {
    if (list.beyond > 0 || list.kept.length + list.unread.length >= mostItems) {
      list.beyond += page.length - index
      return
    }
    if (!isFields(item)) continue
    const bytes = bytesOf(item)
    if (bytes === undefined || bytes > longestDefinition) {
      list.unread.push({ kind, name: nameOf(item), why: whyNot(bytes) })
      list.unreadBytes += bytes ?? 0
    } else if (list.bytes + bytes > mostBytes) list.beyond++
    else {
      list.kept.push({ item, bytes })
      list.bytes += bytes
    }
  }
}

/** All lists of a server within the bounds they share, the first ones first. */
export function joinLists(lists: readonly (readonly [OfferKind, SiftedList])[]): BoundedOffers {
  const offers: Offers = { tools: [], prompts: [], resources: [], resourceTemplates: [] }
  const unread: Unread[] = []
  const beyond: Partial<Record<OfferKind, number>> = {}
  let bytes = 0
  let items = 0
  for (const [kind, list] of lists) {
    for (const { item, bytes: own } of list.kept) {
      if (items >= mostItems || bytes + own > mostBytes) break
      items++
      bytes += own
      offers[kind].push(item)
    }
    const named = list.unread.slice(0, Math.max(0, mostNamed - unread.length))
    unread.push(...named)
    const rest =
      list.beyond + list.kept.length - offers[kind].length + list.unread.length - named.length
    if (rest > 0) beyond[kind] = rest
  }
  return {
    ...offers,
    ...(unread.length > 0 && { unread }),
    ...(Object.keys(beyond).length > 0 && { beyond }),
  }
}

/** Whether lists that were kept before are what would be kept of them now. */
export function isWithinBounds(offers: Offers, kinds: readonly OfferKind[]): boolean {
  const lists = kinds.map((kind) => {
    const list = emptyList()
    sift(kind, offers[kind], list)
    return [kind, list] as const
  })
  const { unread, beyond } = joinLists(lists)
  return unread === undefined && beyond === undefined
}

/** What a server says of itself beside its lists, unless it is too much. */
export function boundedWords<T>(
  kind: Unread['kind'],
  value: T | undefined,
): { value?: T; unread: Unread[] } {
  if (value === undefined) return { unread: [] }
  const bytes = bytesOf(value)
  return bytes === undefined || bytes > longestDefinition
    ? { unread: [{ kind, name: kind, why: whyNot(bytes) }] }
    : { value, unread: [] }
}

const said = (count: number): string => count.toLocaleString('en-US')

/** What could not be kept of a list, for whoever can do something about it. */
export const beyondBounds: string = `of one server ${said(mostItems)} definitions are read, of ${said(mostBytes)} bytes together. Let it offer fewer, or make two servers of it`

function whyNot(bytes: number | undefined): string {
  const what =
    bytes === undefined
      ? `its definition is nested deeper than ${deepest} levels`
      : `its definition has ${said(bytes)} bytes as JSON, and no more than ${said(longestDefinition)} are read`
  return `${what}. Make it shorter in the server, then start that anew`
}

/** As JSON; undefined for what is nested too deep to be walked through. */
function bytesOf(value: unknown): number | undefined {
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    return undefined
  }
  const bytes = Buffer.byteLength(text)
  return bytes > longestDefinition || isShallow(value, deepest) ? bytes : undefined
}

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1)))

/** The beginning of a name holds all of it in memory, unless it is written anew. */
function nameOf(item: Fields): string {
  const name = [item['name'], item['uri'], item['uriTemplate']].find(
    (one) => typeof one === 'string',
  )
  return Buffer.from(String(name ?? '').slice(0, longestName)).toString()
}
