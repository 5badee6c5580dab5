import { z } from 'zod'
import { defineSettings, type LinesOf, type SettingsTable } from './define-settings.ts'
import { listOf, networks, onOff } from './types.ts'

/** Where to serve HTTP, over stdio if `http` is undefined; to whom: `token`, under which names. */
export interface HttpSettings {
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
  token: { type: z.string().min(8).optional(), flag: false, secret: true, help: 'bearer token that HTTP clients must send' },
})

/** Options of the command `add`, which writes the server into the configuration of a client. */
export interface AddOptions {
  name: string | undefined
  user: boolean
  force: boolean
  print: boolean
  skill: boolean
  rules: boolean
}

// biome-ignore format: a table has one line for each option.
export const addOptions: SettingsTable<AddOptions> = defineSettings({
  name: { type: z.string().optional(), value: '<name>', help: 'add, remove: name of the server in the client' },
  user: { type: onOff(false), help: 'add, remove: for all folders instead of this one' },
  force: { type: onOff(false), help: 'add, remove: also a server of the same name that is another' },
  print: { type: onOff(false), help: 'add: print the change without writing it' },
  skill: { type: onOff(false), help: 'add: also a skill that says when to use the tools' },
  rules: { type: onOff(false), help: 'add: also a marked block in AGENTS.md or the rules of the client' },
})
