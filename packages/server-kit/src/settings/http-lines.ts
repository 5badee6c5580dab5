import { z } from 'zod'
import type { LinesOf } from './define-settings.ts'
import { listOf } from './types.ts'

/** Where to serve HTTP, over stdio if `http` is undefined; to whom: `token`, under which names. */
export interface HttpSettings {
  http: string | undefined
  httpHosts: string[]
  token: string | undefined
}

/** The settings of a server over HTTP, for its table. */
// biome-ignore format: a table has one line for each setting.
export const httpLines = (prefix: string): LinesOf<HttpSettings> => ({
  http: { type: z.string().optional(), isLocal: true, value: '<[host:]port>', unset: 'stdio', help: `with ${prefix}_TOKEN, clients must send a bearer token`, manual: 'serve Streamable HTTP at `/mcp`' },
  httpHosts: { type: listOf(z.string()), flag: 'http-host', isLocal: true, value: '<name>', unset: 'this machine', help: 'host name under which the server is reached' },
  token: { type: z.string().min(8).optional(), flag: false, secret: true, help: 'bearer token that HTTP clients must send' },
})
