import { createHash } from 'node:crypto'
import { z } from 'zod'
import { hasApp } from '#servers/protocol/apps'
import type { JsonObject } from '#servers/protocol/message'

const definition = z.record(z.string(), z.unknown())

/** The first definition of a tool, or the one approved last. */
const pin = z.object({
  hash: z.string(),
  /** The definition that `hash` belongs to. */
  definition,
  /** Milliseconds since 1970. */
  pinnedAt: z.number(),
  /** Its findings were reviewed and approved. */
  isApproved: z.boolean().optional(),
})

const candidate = z.object({
  hash: z.string(),
  definition,
  reasons: z.array(z.string()),
  seenAt: z.number(),
})

/** A definition that waits for approval. */
export type Waiting = z.output<typeof candidate>

export const pinnedServer = z.object({
  server: z.string(),
  /**
   * Hash of how the server is started or reached: a server with another hash is a different one.
   */
  source: z.string(),
  pins: z.record(z.string(), pin),
  waiting: z.record(z.string(), candidate),
  /** Its file was removed: what is not pinned is held, whatever happens to new tools elsewhere. */
  isLost: z.boolean().optional(),
})

/** Pins of one server, by the tools' names at the server. */
export type PinnedServer = z.output<typeof pinnedServer>

/**
 * Stores pins across processes. `read` returns the latest pins of all processes, which must not be
 * modified, and throws if they are damaged. `change` must not lose concurrent changes of other
 * processes, and throws if it cannot store them.
 */
export interface PinStore {
  read(server: string, source: string): PinnedServer
  change(server: string, source: string, edit: (pinned: PinnedServer) => void): void
  /** Increases by one with each change made here, and when another process has written. Cheap. */
  version(): number
  all(): PinnedServer[]
}

const pinnedKeys = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  // Of skills.
  'frontmatter',
  'resources',
  // Of prompts.
  'arguments',
]

/** The parts of a definition that a model or a client acts upon; `ui` names an interface. */
export function pinnedPart(definition: JsonObject): JsonObject {
  const entries = pinnedKeys.flatMap((key) =>
    definition[key] === undefined ? [] : [[key, definition[key]] as const],
  )
  const ui = hasApp(definition) ? { _meta: definition['_meta'] } : {}
  return { ...Object.fromEntries(entries), ...ui }
}

/** Independent of the order of members. */
export const hashOf = (definition: JsonObject): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(pinnedPart(definition))))
    .digest('hex')

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, inOrder(member)])
}

/** Names of tools are keys: `__proto__` must not be special. */
export const copyOfPins = ({
  isLost,
  server,
  source,
  pins,
  waiting,
}: PinnedServer): PinnedServer => ({
  ...(isLost && { isLost }),
  server,
  source,
  pins: Object.assign(Object.create(null), pins),
  waiting: Object.assign(Object.create(null), waiting),
})

/** Of a server none of whose tools is pinned yet. */
export const emptyPins = (server: string, source: string): PinnedServer =>
  copyOfPins({ server, source, pins: {}, waiting: {} })

/** Stores pins in memory. */
export function createMemoryPinStore(): PinStore {
  const pinsByKey = new Map<string, PinnedServer>()
  let version = 0
  const of = (server: string, source: string): PinnedServer => {
    const key = `${server}\0${source}`
    const pinned = pinsByKey.get(key) ?? emptyPins(server, source)
    pinsByKey.set(key, pinned)
    return pinned
  }
  return {
    read: of,
    change(server, source, edit) {
      edit(of(server, source))
      version++
    },
    version: () => version,
    all: () => [...pinsByKey.values()],
  }
}
