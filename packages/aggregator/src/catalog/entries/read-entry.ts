import { safeName, unitName } from '../../protocol/unit.ts'
import { capabilitiesKey } from '../../upstream/connection/client-capabilities.ts'
import type { Connection } from '../../upstream/connection/connection.ts'
import type { Instance } from '../../upstream/instance.ts'
import { anyCapabilities, type CatalogEntry, fingerprintOf } from './catalog-entry.ts'
import { listItems } from './list-items.ts'
import { beyondBounds, boundedWords } from './within-bounds.ts'

interface ReadOptions {
  onLog: (text: string) => void
  /** Replaces secrets in what servers send. */
  redactIn: <T>(value: T) => T
  /** Local time in milliseconds since 1970. */
  readAt: number
}

/** Reads all lists of a server, and what it says of itself, within bounds. */
export async function readEntry(
  { server, capabilities: declared }: Instance,
  connection: Connection,
  { onLog, redactIn, readAt }: ReadOptions,
): Promise<CatalogEntry> {
  const offers = await listItems(connection, onLog)
  const capabilities = boundedWords('capabilities', connection.capabilities)
  const serverInfo = boundedWords('serverInfo', connection.serverInfo)
  const instructions = boundedWords('instructions', connection.instructions)
  const unread = [offers, capabilities, serverInfo, instructions].flatMap(
    ({ unread = [] }) => unread,
  )
  return {
    ...redactIn(offers),
    server: unitName(server),
    abilities: connection.era === 'modern' ? anyCapabilities : capabilitiesKey(declared),
    fingerprint: fingerprintOf(server),
    era: connection.era,
    capabilities: capabilities.value ?? {},
    serverInfo: serverInfo.value,
    instructions: redactIn(instructions.value),
    ...(unread.length > 0 && { unread: redactIn(unread) }),
    readAt,
  }
}

const maxNamed = 3

/** For the log: what was not read of a server, if anything. */
export function describeUnread({ unread = [], beyond = {} }: CatalogEntry): string | undefined {
  const named = unread
    .slice(0, maxNamed)
    .map(({ kind, name, why }) => `${kind} ${safeName(name)}: ${why}`)
  const rest = unread.length - named.length
  const counts = Object.entries(beyond).map(([kind, count]) => `${count} more of ${kind}`)
  const parts = [
    ...named,
    ...(rest > 0 ? [`${rest} others`] : []),
    ...(counts.length > 0 ? [`${counts.join(', ')}: ${beyondBounds()}`] : []),
  ]
  return parts.length === 0 ? undefined : `not read: ${parts.join('; ')}`
}
