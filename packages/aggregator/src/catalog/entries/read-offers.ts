import type { Connection } from '../../upstream/connection/connection.ts'
import type { OfferKind } from './catalog-entry.ts'
import { type BoundedOffers, emptyList, joinLists, type SiftedList, sift } from './within-bounds.ts'

const methods: Record<OfferKind, { method: string; capability: string }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
}

export const offerKinds = Object.keys(methods) as OfferKind[]

/** A list that goes on after that many pages does not end. */
const mostPages = 100
/** Of definitions that are too long, in bytes; a list that has more of them is not read on. */
const mostUnread = 64 * 1024 * 1024
const timeoutMs = 30_000

/** All lists of a server within bounds, each item as it is. A list that fails is empty. */
export async function readOffers(
  connection: Connection,
  onLog: (text: string) => void,
): Promise<BoundedOffers> {
  const lists = await Promise.all(
    offerKinds.map(async (kind) => {
      const { method, capability } = methods[kind]
      if (connection.capabilities[capability] === undefined) return [kind, emptyList()] as const
      try {
        return [kind, await readList(connection, method, kind)] as const
      } catch (error) {
        // Templates are optional for servers with resources; the code is that of an unknown method.
        if ((error as { code?: unknown }).code !== -32601)
          onLog(`${method} failed: ${error instanceof Error ? error.message : error}`)
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
  kind: OfferKind,
): Promise<SiftedList> {
  const list = emptyList()
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? undefined : { cursor }
    const result = await connection.request(
      { method, params },
      { signal: AbortSignal.timeout(timeoutMs) },
    )
    const found = result[kind]
    if (Array.isArray(found)) sift(kind, found, list)
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor || list.beyond > 0) return list
    if (list.unreadBytes > mostUnread) break
    cursor = next
  }
  return { ...list, beyond: 1 }
}
