import { isFields } from '../is-fields.ts'
import type { Connection, Fields } from '../upstream/connection.ts'
import type { OfferKind, Offers } from './catalog-entry.ts'

const methods: Record<OfferKind, { method: string; capability: string }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
}

export const offerKinds = Object.keys(methods) as OfferKind[]

/** A list that goes on after that many pages or items does not end. */
const mostPages = 100
const mostItems = 20_000
const timeoutMs = 30_000

/** All lists of a server, every page, each item as it is. A list that fails is empty. */
export async function readOffers(
  connection: Connection,
  onLog: (text: string) => void,
): Promise<Offers> {
  const lists = await Promise.all(
    offerKinds.map(async (kind) => {
      const { method, capability } = methods[kind]
      if (connection.capabilities[capability] === undefined) return [kind, []] as const
      try {
        return [kind, await readList(connection, method, kind)] as const
      } catch (error) {
        // Templates are optional for servers with resources; the code is that of an unknown method.
        if ((error as { code?: unknown }).code !== -32601)
          onLog(`${method} failed: ${error instanceof Error ? error.message : error}`)
        if (kind === 'tools') throw error
        return [kind, []] as const
      }
    }),
  )
  return Object.fromEntries(lists) as unknown as Offers
}

async function readList(
  connection: Connection,
  method: string,
  kind: OfferKind,
): Promise<Fields[]> {
  const items: Fields[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages && items.length < mostItems; page++) {
    const params = cursor === undefined ? undefined : { cursor }
    const result = await connection.request(
      { method, params },
      { signal: AbortSignal.timeout(timeoutMs) },
    )
    const found = result[kind]
    if (Array.isArray(found)) items.push(...found.filter(isFields).filter(isShallow))
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor) break
    cursor = next
  }
  return items.slice(0, mostItems)
}

/** Deeper definitions say nothing more, and would overflow whoever walks through them. */
const deepest = 100

function isShallow(definition: unknown): boolean {
  let level: unknown[] = [definition]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return false
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}
