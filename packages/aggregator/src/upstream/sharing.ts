import { isAbsolute } from 'node:path'
import { packageOf } from '#servers/config/package-of'
import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { knownServers, type SharedWith } from './known-servers.ts'

/**
 * Words in names of tools that change what a later call of the same session meets: a page, a
 * connection, a selection, a process.
 */
const stateful = new Set(
  (
    'activate active attach breakpoint browser click close connect current cwd detach disconnect drag goto ' +
    'hover interact kill launch login logout navigate process redo resume rollback scroll select session ' +
    'step stop switch tab tabs toggle undo workdir working'
  ).split(' '),
)

const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** The tool whose name shows that a server keeps something for a session. */
const statefulTool = oncePer((tools: readonly JsonObject[]): { name?: string | undefined } => ({
  name: tools
    .map(({ name }) => String(name))
    .find((name) => wordsOf(name).some((word) => stateful.has(word))),
}))

const noTools: readonly JsonObject[] = []

/** With whom clients of a shared process share an instance, and why. */
export interface Sharing {
  with: SharedWith
  why: string
}

/**
 * What the entry says, or what is known of its package, or what its tools show. Servers without a
 * folder of their own may work in that of the client.
 */
export function sharingOf(server: ServerConfig, tools: readonly JsonObject[] = noTools): Sharing {
  const { per } = server
  const known = knownServer(server)
  const says = `"per": "${per}" in its configuration`
  if (per === 'session') return { with: 'session', why: says }
  const stateful = (per ?? known.sharing) ? undefined : statefulTool(tools).name
  if (stateful !== undefined)
    return {
      with: 'session',
      why: `its tool ${stateful} may keep something for later calls; "per": "replica" in its configuration shares it`,
    }
  if (per === undefined && known.sharing === 'session')
    return { with: 'session', why: `of its package is known: ${known.why}` }
  if (server.type !== 'stdio') return { with: 'all', why: 'it is reached at an address' }
  if (needsFolder(server))
    return { with: 'folder', why: 'its command or an argument is a relative path' }
  if (per !== undefined) return { with: 'all', why: says }
  if (known.sharing === 'all') return { with: 'all', why: `of its package is known: ${known.why}` }
  return server.cwd === undefined
    ? {
        with: 'folder',
        why: 'it may work in the folder of its client; "cwd" gives it one of its own',
      }
    : { with: 'all', why: 'it has a folder of its own' }
}

const knownServer = oncePer((server: ServerConfig) => ({ ...knownServers[packageOf(server)] }))

/** Calls that a server gets at the same time: as configured, or as is known of its package. */
export const maxConcurrencyOf = (server: ServerConfig): number | undefined =>
  server.limits?.maxConcurrency ?? knownServer(server).maxConcurrency

/** What is relative is in the folder of the client. */
function needsFolder({ command, args, cwd }: Extract<ServerConfig, { type: 'stdio' }>): boolean {
  if (cwd !== undefined) return !isAbsolute(cwd)
  return [command, ...args].some((text) => /^\.{1,2}(?:[\\/]|$)/.test(text))
}
