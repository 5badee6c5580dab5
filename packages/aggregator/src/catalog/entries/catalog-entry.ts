import { createHash } from 'node:crypto'
import type { ServerConfig } from '../../config/server-config.ts'
import type { Era, JsonObject } from '../../protocol/message.ts'

/** The lists of a server; items are unchanged. */
export interface CatalogItems {
  tools: JsonObject[]
  prompts: JsonObject[]
  resources: JsonObject[]
  resourceTemplates: JsonObject[]
  skills: JsonObject[]
}

export type ItemKind = keyof CatalogItems

/** A part of a server's lists that exceeds the bounds and is not stored. */
export interface Unread {
  kind: ItemKind | 'instructions' | 'serverInfo' | 'capabilities'
  /** Its name or URI at the server; long ones are cut. */
  name: string
  /** The reason, and what to do about it. */
  why: string
}

/** The lists of one server for clients with certain capabilities. */
export interface CatalogEntry extends CatalogItems {
  /** Name of the unit: `SERVER` or `SERVER@ACCOUNT`. */
  server: string
  /** The client capabilities of the query; a modern server has one entry for all. */
  abilities: string
  /** Hash of the configuration at the time of the query. */
  fingerprint: string
  era: Era
  capabilities: JsonObject
  serverInfo?: JsonObject | undefined
  instructions?: string | undefined
  unread?: readonly Unread[] | undefined
  /** Minimum number of items per list that were not read or not named. */
  beyond?: Partial<Record<ItemKind, number>> | undefined
  /** Milliseconds since 1970. */
  readAt: number
}

/** `abilities` of an entry for all clients. */
export const anyCapabilities = '*'

/** Changes with every setting that can change a server's lists, secrets included. */
export function fingerprintOf(server: ServerConfig): string {
  const parts =
    server.type === 'stdio'
      ? [
          server.command,
          server.args,
          server.cwd,
          server.env,
          server.sandbox && { ...server.sandbox, env: server.sandbox.listed },
        ]
      : [server.type, server.url, server.headers]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
