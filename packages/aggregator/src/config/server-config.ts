/** One server behind the endpoint, as it was configured; all durations are milliseconds. */
export type ServerConfig = StdioServer | HttpServer

interface ServerSettings {
  /** The key in `mcpServers`; the `module` of calls. */
  name: string
  /** Said to models beside the name. */
  description?: string | undefined
  /** How long one call may go without a sign of life. Default 5 minutes. */
  timeoutMs: number
  /** How long a start may take until the server answers. Default 30 s. */
  startTimeoutMs: number
  /** How long a server without calls is kept; 0 is for ever. Default 15 minutes. */
  idleMs: number
  /** Each client session has an instance of its own. */
  isolate: boolean
  /** What was put in for variables; may be secret wherever it stands. */
  variables: readonly string[]
  /** Why it cannot be started as configured, such as a variable that is not set. */
  problem?: string | undefined
}

export interface StdioServer extends ServerSettings {
  type: 'stdio'
  command: string
  args: readonly string[]
  /** Beside the few variables every server gets, such as `PATH` and `HOME`. */
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
}

export interface HttpServer extends ServerSettings {
  /** Streamable HTTP, or HTTP with SSE of 2024. */
  type: 'http' | 'sse'
  url: string
  headers: Readonly<Record<string, string>>
}

/** Values of a server that must not be seen in logs and replies. */
export function secretsOf(server: ServerConfig): string[] {
  const { type, variables } = server
  return [...Object.values(type === 'stdio' ? server.env : server.headers), ...variables]
}
