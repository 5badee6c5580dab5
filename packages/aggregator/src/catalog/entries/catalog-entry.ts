import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServerConfig } from '#servers/config/server-config'

const items = z.array(z.record(z.string(), z.unknown()))

const catalogItems = z.object({
  tools: items,
  prompts: items,
  resources: items,
  resourceTemplates: items,
  skills: items,
})

/** The lists of a server; items are unchanged. */
export type CatalogItems = z.output<typeof catalogItems>

const itemKind = catalogItems.keyof()

export type ItemKind = z.output<typeof itemKind>

const unread = z.object({
  kind: z.enum([...itemKind.options, 'instructions', 'serverInfo', 'capabilities']),
  /** Its name or URI at the server; long ones are cut. */
  name: z.string(),
  /** The reason, and what to do about it. */
  why: z.string(),
})

/** A part of what a server lists, and what is wrong with it: not stored, or not listed as it is. */
export type Unread = z.output<typeof unread>

export const catalogEntry = catalogItems.extend({
  /** Name of the unit: `SERVER` or `SERVER@ACCOUNT`. */
  server: z.string(),
  /** Hash of the configuration at the time of the query. */
  fingerprint: z.string(),
  era: z.enum(['legacy', 'modern']),
  /** When this version of the server was last asked for its era, in milliseconds since 1970. */
  probedAt: z.number().optional(),
  capabilities: z.record(z.string(), z.unknown()),
  serverInfo: z.record(z.string(), z.unknown()).optional(),
  instructions: z.string().optional(),
  unread: z.array(unread).max(200).optional(),
  /** Definitions that clients could not list as they are. */
  faults: z.array(unread).max(200).optional(),
  /** Minimum number of items per list that were not read or not named. */
  beyond: z.partialRecord(itemKind, z.number()).optional(),
  /** Milliseconds after which the lists may have changed, as the server says. */
  ttlMs: z.number().optional(),
  /** Milliseconds since 1970. */
  readAt: z.number(),
})

/** The lists of one server. */
export type CatalogEntry = z.output<typeof catalogEntry>

/** Changes with every setting that can change a server's lists, secrets included. */
export function fingerprintOf(server: ServerConfig): string {
  const parts =
    server.type === 'stdio'
      ? [
          server.command,
          server.args,
          server.cwd,
          server.env,
          server.sandbox && { ...server.sandbox, env: server.sandbox.listed, hidden: undefined },
        ]
      : [server.type, server.url, server.headers]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
