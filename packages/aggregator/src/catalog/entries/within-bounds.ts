import { isDeeper } from '#servers/protocol/is-deeper'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import type { CatalogItems, ItemKind, Unread } from './catalog-entry.ts'

/**
 * Characters of one definition as JSON. Reading, comparing and counting a definition is
 * synchronous.
 */
const maxDefinitionLength = 256 * 1024
/** Bytes of all lists of a server, as JSON. */
const maxBytes = 8 * 1024 * 1024
const maxItems = 10_000
/** Unread items beyond these are only counted. */
const maxNamed = 100
const maxNameLength = 200
/** Deeper definitions are useless and would overflow the stack of recursive functions. */
const maxDepth = 100

/** The lists of a server within the bounds, and what was left out. */
export interface BoundedItems extends CatalogItems {
  unread?: Unread[]
  beyond?: Partial<Record<ItemKind, number>>
  ttlMs?: number
}

/** One list while it is read. */
export interface SiftedList {
  kept: { item: JsonObject; bytes: number }[]
  bytes: number
  unread: Unread[]
  unreadBytes: number
  /** Minimum number of items that were not read. */
  beyond: number
  /** The shortest of its pages. */
  ttlMs?: number
}

export const emptyList = (): SiftedList => ({
  kept: [],
  bytes: 0,
  unread: [],
  unreadBytes: 0,
  beyond: 0,
})

/** Adds a page to a list. */
export function sift(kind: ItemKind, page: readonly unknown[], list: SiftedList): void {
  for (const [index, item] of page.entries()) {
    if (list.beyond > 0 || list.kept.length + list.unread.length >= maxItems) {
      list.beyond += page.length - index
      return
    }
    if (!isJsonObject(item)) continue
    const bytes = bytesOf(item)
    if (bytes === undefined || bytes > maxDefinitionLength) {
      list.unread.push({ kind, name: nameOf(item), why: whyNot(bytes) })
      list.unreadBytes += bytes ?? 0
    } else if (list.bytes + bytes > maxBytes) list.beyond++
    else {
      list.kept.push({ item, bytes })
      list.bytes += bytes
    }
  }
}

/** Joins the lists of a server within their common bounds; earlier lists have priority. */
export function joinLists(lists: readonly (readonly [ItemKind, SiftedList])[]): BoundedItems {
  const items: CatalogItems = {
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    skills: [],
  }
  const unread: Unread[] = []
  const beyond: Partial<Record<ItemKind, number>> = {}
  const ttls = lists.flatMap(([, { ttlMs }]) => ttlMs ?? [])
  let bytes = 0
  let count = 0
  for (const [kind, list] of lists) {
    for (const { item, bytes: itemBytes } of list.kept) {
      if (count >= maxItems || bytes + itemBytes > maxBytes) break
      count++
      bytes += itemBytes
      items[kind].push(item)
    }
    const details = list.unread.slice(0, Math.max(0, maxNamed - unread.length))
    unread.push(...details)
    const rest =
      list.beyond + list.kept.length - items[kind].length + list.unread.length - details.length
    if (rest > 0) beyond[kind] = rest
  }
  return {
    ...items,
    ...(unread.length > 0 && { unread }),
    ...(Object.keys(beyond).length > 0 && { beyond }),
    ...(ttls.length > 0 && { ttlMs: Math.min(...ttls) }),
  }
}

/** True if stored lists are within the bounds of this version. */
export function isWithinBounds(items: CatalogItems, kinds: readonly ItemKind[]): boolean {
  const lists = kinds.map((kind) => {
    const list = emptyList()
    sift(kind, items[kind], list)
    return [kind, list] as const
  })
  const { unread, beyond } = joinLists(lists)
  return unread === undefined && beyond === undefined
}

/** What a server sends besides its lists, if it is within the bounds. */
export function boundedWords<T>(
  kind: Unread['kind'],
  value: T | undefined,
): { value?: T; unread: Unread[] } {
  if (value === undefined) return { unread: [] }
  const bytes = bytesOf(value)
  return bytes === undefined || bytes > maxDefinitionLength
    ? { unread: [{ kind, name: kind, why: whyNot(bytes) }] }
    : { value, unread: [] }
}

const formatCount = (count: number): string => count.toLocaleString('en-US')

/**
 * The reason for items that were not read, with a remedy. A function, because loading the rules of
 * number formats takes 15 ms.
 */
export const beyondBounds = (): string =>
  `at most ${formatCount(maxItems)} definitions of one server are read, with ${formatCount(maxBytes)} bytes in total. Reduce the number of definitions, or split the server into two`

function whyNot(bytes: number | undefined): string {
  const what =
    bytes === undefined
      ? `its definition is nested deeper than ${maxDepth} levels`
      : `its definition has ${formatCount(bytes)} bytes as JSON, and at most ${formatCount(maxDefinitionLength)} are read`
  return `${what}. Shorten it in the server, then restart the server`
}

/** Bytes as JSON; undefined if it is nested too deep. */
function bytesOf(value: unknown): number | undefined {
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    return undefined
  }
  const bytes = Buffer.byteLength(text)
  return bytes > maxDefinitionLength || !isDeeper(value, maxDepth) ? bytes : undefined
}

/** Copies the name: a part of a text keeps the whole text in memory. */
function nameOf(item: JsonObject): string {
  const name = [item['name'], item['uri'], item['uriTemplate']].find(
    (candidate) => typeof candidate === 'string',
  )
  return Buffer.from(String(name ?? '').slice(0, maxNameLength)).toString()
}
