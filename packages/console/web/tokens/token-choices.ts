export type Scope = 'mcp' | 'console:read' | 'console' | 'console:admin'

export const allScopes: readonly (readonly [Scope, string])[] = [
  ['mcp', 'Call tools over MCP'],
  ['console:read', 'View this console'],
  ['console', 'View and change this console, except for what is started and who may enter'],
  ['console:admin', 'View and change everything in this console'],
]

export const expiries = [
  ['7d', 'in 7 days'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
  ['', 'never'],
] as const

/** How long the value before stays valid. */
export const overlaps = [
  ['24h', 'for a day'],
  ['1h', 'for an hour'],
  ['7d', 'for a week'],
  ['0m', 'not at all'],
] as const

/** What connects a client to an address with a token: a command, or JSON for its file. */
export const clientSnippets: Readonly<
  Record<string, { title: string; snippet: (url: string, token: string) => string }>
> = {
  'claude-code': {
    title: 'Claude Code',
    snippet: (url, token) =>
      `claude mcp add --transport http pith ${url} --header "Authorization: Bearer ${token}"`,
  },
  cursor: { title: 'Cursor (mcp.json)', snippet: (url, token) => entry('mcpServers', url, token) },
  vscode: {
    title: 'VS Code (mcp.json)',
    snippet: (url, token) => entry('servers', url, token, { type: 'http' }),
  },
  codex: {
    title: 'Codex (config.toml)',
    snippet: (url, token) =>
      `[mcp_servers.pith]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`,
  },
  other: {
    title: 'Another client',
    snippet: (url, token) => `${url}\nAuthorization: Bearer ${token}`,
  },
}

function entry(key: string, url: string, token: string, more: object = {}): string {
  const headers = { Authorization: `Bearer ${token}` }
  return JSON.stringify({ [key]: { pith: { ...more, url, headers } } }, null, 2)
}
