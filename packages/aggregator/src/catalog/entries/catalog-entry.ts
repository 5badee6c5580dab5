import { createHash } from 'node:crypto'
import type { ServerConfig } from '../../config/server-config.ts'
import type { Era, Fields } from '../../protocol/message.ts'

/** The lists of a server, each item as it was given. */
export interface Offers {
  tools: Fields[]
  prompts: Fields[]
  resources: Fields[]
  resourceTemplates: Fields[]
}

export type OfferKind = keyof Offers

/** What a server said and is not kept, since it is beyond what is read. */
export interface Unread {
  kind: OfferKind | 'instructions' | 'serverInfo' | 'capabilities'
  /** As the server calls it, or its address; cut where it is long. */
  name: string
  /** And what to do about it. */
  why: string
}

/** What one server offers to clients with certain abilities. */
export interface CatalogEntry extends Offers {
  /** Its name, with the account where there are several. */
  server: string
  /** The abilities it was asked with; of a modern server there is one entry for all. */
  abilities: string
  /** Of the configuration it was read with. */
  fingerprint: string
  era: Era
  capabilities: Fields
  serverInfo?: Fields | undefined
  instructions?: string | undefined
  unread?: readonly Unread[] | undefined
  /** So many of a list at least were not looked at, or are not named. */
  beyond?: Partial<Record<OfferKind, number>> | undefined
  /** Milliseconds since 1970. */
  readAt: number
}

/** Of an entry that serves all abilities. */
export const anyAbilities = '*'

/** Changes with whatever could change what a server offers, its secrets included. */
export function fingerprintOf(server: ServerConfig): string {
  const parts =
    server.type === 'stdio'
      ? [
          server.command,
          server.args,
          server.cwd,
          server.env,
          // Without one, what was read before there were any stays good.
          ...(server.sandbox ? [{ ...server.sandbox, env: server.sandbox.listed }] : []),
        ]
      : [server.type, server.url, server.headers]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
