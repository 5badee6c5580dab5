import { isDeepStrictEqual } from 'node:util'
import type { AggregatorSettings } from './aggregator-settings.ts'
import type { Sandbox } from './sandbox.ts'
import type { OauthSettings, ServerEntry } from './server-entry.ts'

/** Members of an entry that say how a server is started or reached, and which it becomes. */
type Written =
  | ('type' | 'command' | 'args' | 'env' | 'cwd' | 'sandbox' | 'url' | 'serverUrl' | 'httpUrl')
  | ('headers' | 'oauth' | 'enabled' | 'disabled' | 'account' | 'accounts')

/** What a server has besides its start: an entry without `Written`. All durations are milliseconds. */
interface ServerSettings extends Omit<ServerEntry, Written> {
  /** The key in `mcpServers`; the parameter `module` of calls. */
  name: string
  /** The account whose credentials it is started with, of a server with accounts. */
  account?: string | undefined
  /** One unit per account, the default first; the server itself is not started then. */
  accounts?: readonly ServerConfig[] | undefined
  /** Values of expanded variables; may be secret wherever they occur. */
  variables: readonly string[]
  /** Why it cannot be started as configured, such as a variable that is not set. */
  problem?: string | undefined
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

/** One configured server. */
export type ServerConfig = StdioServer | HttpServer

/** The units of a server: one per account, or the server itself. */
export const unitsOf = (server: ServerConfig): readonly ServerConfig[] =>
  server.accounts ?? [server]

/** True if a server started with one configuration can keep running under the other. */
export const isSameLaunch = (a: ServerConfig, b: ServerConfig): boolean =>
  isDeepStrictEqual(launchOf(a), launchOf(b))

/** Leaves out the settings that only concern listing and rate limits. */
function launchOf(server: ServerConfig): object {
  const { description, tags, accounts, rules, limits, results, isPinned, ...launch } = server
  return launch
}

/** The part of the configuration that can be replaced at runtime. */
export interface Configured
  extends Pick<AggregatorSettings, 'profiles' | 'limits' | 'permissions'> {
  servers: readonly ServerConfig[]
  /** Names of disabled servers. */
  disabled?: readonly string[] | undefined
  /** If set, only these callers are accepted. */
  callers?: Callers | undefined
}

/** Callers by name; each is known by its token. */
export type Callers = Readonly<
  Record<string, Omit<NonNullable<AggregatorSettings['callers']>[string], 'token'>>
>

/** Names of servers; `SERVER@ACCOUNT` for a server with accounts. */
export interface Replaced {
  added: string[]
  removed: string[]
  changed: string[]
}
