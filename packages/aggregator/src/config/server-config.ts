import type { Era } from '../protocol/message.ts'
import type { AskKind } from './ask-kinds.ts'
import type { Rate } from './limit-settings.ts'
import type { OauthSettings } from './oauth-settings.ts'
import type { Sandbox } from './sandbox.ts'
import type { ToolRules } from './tool-rules.ts'
/** One configured server. All durations are milliseconds. */
export type ServerConfig = StdioServer | HttpServer

interface ServerSettings {
  /** The key in `mcpServers`; the parameter `module` of calls. */
  name: string
  /** The account whose credentials it is started with, of a server with accounts. */
  account?: string | undefined
  /** Shown to models next to the name. */
  description?: string | undefined
  /** Topics, for profiles and searches. */
  tags?: readonly string[] | undefined
  /** One unit per account, the default first; the server itself is not started then. */
  accounts?: readonly ServerConfig[] | undefined
  /** Filters and renames its tools. */
  rules?: ToolRules | undefined
  limits?: ServerLimits | undefined
  /** Compare tools with their pins. Default true. */
  isPinned?: boolean | undefined
  /** Maximum time of one call without progress. Default 5 minutes. */
  timeoutMs: number
  /** Maximum time of a start until the server answers. Default 30 s. */
  startTimeoutMs: number
  /** Stop after this time without calls; 0 means never. Default 15 minutes. */
  idleMs: number
  /**
   * What has an instance of its own: a replica, which is this process if there are no others; or
   * each client session.
   */
  per: 'replica' | 'session'
  /** Most instances for one caller, with `per: "session"`. Default 8. */
  maxInstances?: number | undefined
  /** What it may ask clients. Default: that of the aggregator. */
  asks?: readonly AskKind[] | undefined
  /** The era to speak, for servers that speak both. Default: that of the caller. */
  era?: Era | undefined
  /** Values of expanded variables; may be secret wherever they occur. */
  variables: readonly string[]
  /** Why it cannot be started as configured, such as a variable that is not set. */
  problem?: string | undefined
}

interface ServerLimits {
  rate?: Rate | undefined
  /** Calls at the same time, of all clients; others wait. */
  maxConcurrency?: number | undefined
}

/** A server that is started as a process and spoken to over stdio. */
export interface StdioServer extends ServerSettings {
  type: 'stdio'
  command: string
  args: readonly string[]
  /** In addition to the few variables that every server gets, such as `PATH` and `HOME`. */
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
  /** Without it the server has the rights of this process. */
  sandbox?: Sandbox | undefined
}

/** A server over Streamable HTTP or HTTP with SSE. */
export interface HttpServer extends ServerSettings {
  /** `http` is Streamable HTTP; `sse` is HTTP with SSE of 2024-11-05. */
  type: 'http' | 'sse'
  url: string
  headers: Readonly<Record<string, string>>
  oauth?: OauthSettings | undefined
}

/** The units of a server: one per account, or the server itself. */
export const unitsOf = (server: ServerConfig): readonly ServerConfig[] =>
  server.accounts ?? [server]
