import { createHash } from 'node:crypto'
import type { Fields } from '../../protocol/message.ts'

/** A tool of a server as it was when it was seen first, or approved last. */
export interface Pin {
  hash: string
  /** What was approved: what the hash is of. */
  definition: Fields
  /** Milliseconds since 1970. */
  pinnedAt: number
  /** Findings in it that were looked at and approved. */
  isApproved?: boolean | undefined
}

/** A definition that waits for approval. */
export interface Waiting {
  hash: string
  definition: Fields
  reasons: string[]
  seenAt: number
}

/** What is pinned of one server, by the names it gives its tools. */
export interface PinnedServer {
  server: string
  /** Of how it is started or reached: another one of that name is another server. */
  source: string
  pins: Record<string, Pin>
  waiting: Record<string, Waiting>
}

/**
 * Keeps pins beyond this process. `read` gives what another process wrote since, not to be changed,
 * and throws for what is damaged; `change` must not lose what another process changes at the same
 * time, and throws for what cannot be kept.
 */
export interface PinStore {
  read(server: string, source: string): PinnedServer
  change(server: string, source: string, edit: (pinned: PinnedServer) => void): void
  /** Grows by one with each change made here, and when another process wrote. Cheap. */
  version(): number
  all(): PinnedServer[]
}

const pinnedKeys = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/** What of a definition a model or a client acts upon. */
export const pinnedPart = (definition: Fields): Fields =>
  Object.fromEntries(
    pinnedKeys.flatMap((key) =>
      definition[key] === undefined ? [] : [[key, definition[key]] as const],
    ),
  )

/** The same for definitions that differ only in the order of members. */
export const hashOf = (definition: Fields): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(pinnedPart(definition))))
    .digest('hex')

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, inOrder(member)])
}

export const emptyPins = (server: string, source: string): PinnedServer => ({
  server,
  source,
  pins: Object.create(null) as Record<string, Pin>,
  waiting: Object.create(null) as Record<string, Waiting>,
})

/** For as long as the process runs. */
export function createMemoryPinStore(): PinStore {
  const kept = new Map<string, PinnedServer>()
  let version = 0
  const of = (server: string, source: string): PinnedServer => {
    const key = `${server}\0${source}`
    const known = kept.get(key) ?? emptyPins(server, source)
    kept.set(key, known)
    return known
  }
  return {
    read: of,
    change(server, source, edit) {
      edit(of(server, source))
      version++
    },
    version: () => version,
    all: () => [...kept.values()],
  }
}
