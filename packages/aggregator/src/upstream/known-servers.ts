/** With whom a client of a shared process shares an instance of a server. */
export type SharedWith = 'all' | 'folder' | 'session'

interface KnownServer {
  sharing: SharedWith
  /** What its definitions do not show. */
  why: string
  /** Calls at the same time, where more lose data. */
  maxConcurrency?: number
}

const memory = {
  sharing: 'all',
  why: 'one file, written whole with each change',
  maxConcurrency: 1,
} as const

/** By package, or by the command that it installs. */
export const knownServers: Readonly<Record<string, KnownServer>> = {
  '@modelcontextprotocol/server-memory': memory,
  'mcp-server-memory': memory,
  '@modelcontextprotocol/server-sequential-thinking': {
    sharing: 'session',
    why: 'the thoughts of one session',
  },
  'drawio-mcp-server': { sharing: 'all', why: 'one port, for the editor in the browser' },
  '@browsermcp/mcp': {
    sharing: 'all',
    why: 'one port, for the extension of the browser',
    maxConcurrency: 1,
  },
  '@upstash/context7-mcp': { sharing: 'all', why: 'a web API' },
  '@notionhq/notion-mcp-server': { sharing: 'all', why: 'a web API' },
  'tavily-mcp': { sharing: 'all', why: 'a web API' },
  'exa-mcp-server': { sharing: 'all', why: 'a web API' },
  '@brave/brave-search-mcp-server': { sharing: 'all', why: 'a web API' },
  '@sentry/mcp-server': { sharing: 'all', why: 'a web API' },
  '@hubspot/mcp-server': { sharing: 'all', why: 'a web API' },
}
