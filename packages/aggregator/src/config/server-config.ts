import type { Rate } from './limit-settings.ts'
import type { Sandbox } from './sandbox.ts'
import type { ToolRules } from './tool-rules.ts'
/** One server behind the endpoint, as it was configured; all durations are milliseconds. */
export type ServerConfig = StdioServer | HttpServer

interface ServerSettings {
  /** The key in `mcpServers`; the `module` of calls. */
  name: string
  /** Whose credentials it is started with, of a module with several. */
  account?: string | undefined
  /** Said to models beside the name. */
  description?: string | undefined
  /** What it is about, for profiles and searches. */
  tags?: readonly string[] | undefined
  /** The same server once for each of its accounts, the default first; then it has no own instance. */
  accounts?: readonly ServerConfig[] | undefined
  /** Which of its tools there are, and what they are called. */
  rules?: ToolRules | undefined
  limits?: ServerLimits | undefined
  /** Tools are compared with what was seen first. Default true. */
  isPinned?: boolean | undefined
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

interface ServerLimits {
  rate?: Rate | undefined
  /** Calls at once, of all clients; the others wait. */
  atOnce?: number | undefined
}

export interface StdioServer extends ServerSettings {
  type: 'stdio'
  command: string
  args: readonly string[]
  /** Beside the few variables every server gets, such as `PATH` and `HOME`. */
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
  /** What it may do at all. Without one it has the rights of this process. */
  sandbox?: Sandbox | undefined
}

export interface HttpServer extends ServerSettings {
  /** Streamable HTTP, or HTTP with SSE of 2024. */
  type: 'http' | 'sse'
  url: string
  headers: Readonly<Record<string, string>>
  oauth?: OauthSettings | undefined
}

/** What a server that asks for a sign-in is told; all of it is found out where it is not given. */
export interface OauthSettings {
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The authorization server that `clientSecret` is for; else the first one that the server names. */
  issuer?: string | undefined
  scope?: string | undefined
  /** Of the address on this machine that the browser comes back to; registered clients may need a certain one. */
  port?: number | undefined
}

/** Whatever of a server can be started: itself, or itself with each of its accounts. */
export const unitsOf = (server: ServerConfig): readonly ServerConfig[] =>
  server.accounts ?? [server]
