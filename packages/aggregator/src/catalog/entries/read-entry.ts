import type { Connection } from '#servers/connection/connection'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { Instance } from '../../upstream/instance.ts'
import { headerFault } from '../../upstream/transport/param-headers.ts'
import { type CatalogEntry, fingerprintOf, type Unread } from './catalog-entry.ts'
import { listItems } from './list-items.ts'
import { faultsIn } from './listable.ts'
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
  { server }: Instance,
  connection: Connection,
  { onLog, redactIn, readAt }: ReadOptions,
): Promise<CatalogEntry> {
  const listed = await listItems(connection, onLog)
  // Parameters in headers are of HTTP and of the newer era.
  const hasHeaders = server.type !== 'stdio' && connection.era === 'modern'
  const odd = hasHeaders ? listed.tools.filter(headerFault) : []
  const items = { ...listed, tools: listed.tools.filter((tool) => !odd.includes(tool)) }
  const capabilities = boundedWords('capabilities', connection.capabilities)
  const serverInfo = boundedWords('serverInfo', connection.serverInfo)
  const instructions = boundedWords('instructions', connection.instructions)
  const unread = [
    ...odd.map((tool) => ({
      kind: 'tools' as const,
      name: String(tool['name']),
      why: headerFault(tool) ?? '',
    })),
    ...[items, capabilities, serverInfo, instructions].flatMap(({ unread = [] }) => unread),
  ]
  const faults = faultsIn(items, connection.era)
  return {
    ...redactIn(items),
    server: qualifiedName(server),
    fingerprint: fingerprintOf(server),
    era: connection.era,
    capabilities: capabilities.value ?? {},
    serverInfo: serverInfo.value,
    instructions: redactIn(instructions.value),
    ...(unread.length > 0 && { unread: redactIn(unread) }),
    ...(faults.length > 0 && { faults: redactIn(faults) }),
    readAt,
  }
}

const maxNamed = 3

const describeItem = ({ kind, name, why }: Unread): string => `${kind} ${safeName(name)}: ${why}`

const maxFaults = 20

/** For the log: the definitions that clients cannot list as they are, if there are any. */
export function describeFaults({ faults = [] }: CatalogEntry): string | undefined {
  const rest = faults.length - maxFaults
  const parts = faults.slice(0, maxFaults).map(describeItem)
  if (rest > 0) parts.push(`${rest} others`)
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** For the log: what was not read of a server, if anything. */
export function describeUnread({ unread = [], beyond = {} }: CatalogEntry): string | undefined {
  const lines = unread.slice(0, maxNamed).map(describeItem)
  const rest = unread.length - lines.length
  const counts = Object.entries(beyond).map(([kind, count]) => `${count} more of ${kind}`)
  const parts = [
    ...lines,
    ...(rest > 0 ? [`${rest} others`] : []),
    ...(counts.length > 0 ? [`${counts.join(', ')}: ${beyondBounds()}`] : []),
  ]
  return parts.length === 0 ? undefined : `not read: ${parts.join('; ')}`
}
