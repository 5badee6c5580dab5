import { z } from 'zod'
import { defineSettings, type LinesOf, type SettingsTable } from './define-settings.ts'
import { UsageError } from './read-settings.ts'
import { listOf, networks, onOff } from './types.ts'

/** PEM files; both or none. */
interface TlsSettings {
  tlsCert: string | undefined
  tlsKey: string | undefined
}

/** Where to serve HTTP, over stdio if `http` is undefined; to whom: `token`, under which names. */
export interface HttpSettings extends TlsSettings {
  http: string | undefined
  httpHosts: string[]
  trustedProxies: string[]
  token: string | undefined
}

/** The settings of a server over HTTP, for its table. */
// biome-ignore format: a table has one line for each setting.
export const httpLines = (prefix: string): LinesOf<HttpSettings> => ({
  http: { type: z.string().optional(), isLocal: true, value: '<[host:]port>', unset: 'stdio', help: `with ${prefix}_TOKEN, clients must send a bearer token`, manual: 'serve Streamable HTTP at `/mcp`' },
  httpHosts: { type: listOf(z.string()), flag: 'http-host', isLocal: true, value: '<name>', unset: 'this machine', help: 'host name under which the server is reached' },
  trustedProxies: { type: networks(), isLocal: true, value: '<addresses>', help: 'proxies whose X-Forwarded-For is believed: 10.0.0.0/8,192.0.2.1' },
  tlsCert: { type: z.string().optional(), isLocal: true, value: '<file>', help: 'serve HTTPS with this certificate and its chain, in PEM form; read again when changed' },
  tlsKey: { type: z.string().optional(), isLocal: true, value: '<file>', help: 'private key of --tls-cert, in PEM form' },
  token: { type: z.string().min(8).optional(), flag: false, secret: true, help: 'bearer token that HTTP clients must send' },
})

/** The files of TLS; undefined without. @throws {UsageError} if one is missing */
export function tlsFilesOf({ tlsCert: cert, tlsKey: key }: TlsSettings) {
  if (cert !== undefined && key !== undefined) return { cert, key }
  if (cert !== undefined)
    throw new UsageError('--tls-cert needs --tls-key: pass the private key of the certificate.')
  if (key !== undefined)
    throw new UsageError('--tls-key needs --tls-cert: pass the certificate of the key.')
  return undefined
}

/** Options of the command `add`, which writes the server into the configuration of a client. */
export interface AddOptions {
  name: string | undefined
  user: boolean
  force: boolean
  print: boolean
  write: boolean
  skill: boolean
  rules: boolean
}

// biome-ignore format: a table has one line for each option.
export const addOptions: SettingsTable<AddOptions> = defineSettings({
  name: { type: z.string().optional(), value: '<name>', help: 'setup, add, remove: name of the server in the client' },
  user: { type: onOff(false), help: 'add, remove: for all projects, not just this folder' },
  force: { type: onOff(false), help: 'setup, add, remove: replace a different server that has the same name' },
  print: { type: onOff(false), help: 'add: print the change without writing it' },
  write: { type: onOff(false), help: 'setup: write it without a question' },
  skill: { type: onOff(false), help: 'setup, add: also a skill that says when to use the tools' },
  rules: { type: onOff(false), help: 'setup, add: also a marked block in AGENTS.md or the rules of the client' },
})
