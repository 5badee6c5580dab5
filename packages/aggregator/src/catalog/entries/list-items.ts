import type { Connection } from '../../upstream/connection/connection.ts'
import type { ItemKind } from './catalog-entry.ts'
import { type BoundedItems, emptyList, joinLists, type SiftedList, sift } from './within-bounds.ts'

const methods: Record<ItemKind, { method: string; capability: string }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
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
      const { method, capability } = methods[kind]
      if (connection.capabilities[capability] === undefined) return [kind, emptyList()] as const
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
    const found = result[kind]
    if (Array.isArray(found)) sift(kind, found, list)
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor || list.beyond > 0) return list
    if (list.unreadBytes > maxUnread) break
    cursor = next
  }
  return { ...list, beyond: 1 }
}
