import type { Connection } from '#servers/connection/connection'
import type { JsonObject } from '#servers/protocol/message'
import { hasSkills } from '#servers/protocol/skills'
import type { ItemKind } from './catalog-entry.ts'
import { type BoundedItems, emptyList, joinLists, type SiftedList, sift } from './within-bounds.ts'

const declares = (name: string) => (capabilities: JsonObject) => capabilities[name] !== undefined

/** A list is read of servers that declare it. */
const methods: Record<
  ItemKind,
  { method: string; isDeclared: (capabilities: JsonObject) => boolean }
> = {
  tools: { method: 'tools/list', isDeclared: declares('tools') },
  prompts: { method: 'prompts/list', isDeclared: declares('prompts') },
  resources: { method: 'resources/list', isDeclared: declares('resources') },
  resourceTemplates: { method: 'resources/templates/list', isDeclared: declares('resources') },
  skills: { method: 'skills/list', isDeclared: hasSkills },
}

export const itemKinds = Object.keys(methods) as ItemKind[]

/** A longer list counts as endless. */
const maxPages = 100
/** Bytes of definitions over the limit, after which the list is not read further. */
const maxUnread = 64 * 1024 * 1024
const timeoutMs = 30_000

/**
 * Reads all lists of a server within the bounds; items are unchanged. A list that fails is empty.
 */
export async function listItems(
  connection: Connection,
  onLog: (text: string) => void,
): Promise<BoundedItems> {
  const lists = await Promise.all(
    itemKinds.map(async (kind) => {
      const { method, isDeclared } = methods[kind]
      if (!isDeclared(connection.capabilities)) return [kind, emptyList()] as const
      try {
        return [kind, await readList(connection, method, kind)] as const
      } catch (error) {
        // Templates are optional for servers with resources; -32601 is an unknown method.
        if ((error as { code?: unknown }).code !== -32601)
          onLog(`${method} failed: ${error instanceof Error ? error.message : error}.`)
        if (kind === 'tools') throw error
        return [kind, emptyList()] as const
      }
    }),
  )
  return joinLists(lists)
}

async function readList(
  connection: Connection,
  method: string,
  kind: ItemKind,
): Promise<SiftedList> {
  const list = emptyList()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? undefined : { cursor }
    const result = await connection.request(
      { method, params },
      { signal: AbortSignal.timeout(timeoutMs) },
    )
    const items = result[kind]
    if (Array.isArray(items)) sift(kind, items, list)
    // 0 is what servers send that promise nothing.
    const ttlMs = Number(result['ttlMs'])
    if (ttlMs > 0) list.ttlMs = Math.min(ttlMs, list.ttlMs ?? ttlMs)
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor || list.beyond > 0) return list
    if (list.unreadBytes > maxUnread) break
    cursor = next
  }
  return { ...list, beyond: 1 }
}
