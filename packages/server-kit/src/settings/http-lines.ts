import type { SettingsOf } from './setting.ts'

// biome-ignore format: a table has one line for each setting.
const lines = {
  http: { type: 'string', isLocal: true, value: '[host:]port', unset: 'stdio', help: '' as string, manual: 'serve Streamable HTTP at `/mcp`' },
  httpHosts: { type: 'list', flag: 'http-host', isLocal: true, value: 'name', unset: 'this machine', help: 'host name under which the server is reached' },
  token: { type: 'string', min: 8, flag: false, secret: true, help: 'bearer token that HTTP clients must send' },
} as const

/** The settings of a server over HTTP, for its table. */
export const httpLines = (prefix: string): typeof lines => ({
  ...lines,
  http: { ...lines.http, help: `with ${prefix}_TOKEN, clients must send a bearer token` },
})

/** Where to serve HTTP, over stdio if `http` is undefined; to whom: `token`, under which names. */
export type HttpSettings = SettingsOf<typeof lines>
