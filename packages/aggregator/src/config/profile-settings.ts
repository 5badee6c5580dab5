/** Callers by name; each is known by its token. */
export type Callers = Readonly<Record<string, { profile?: string | undefined }>>

/** A named subset of the servers and tools. Clients with a profile cannot see or call the rest. */
export interface ProfileSettings {
  description?: string | undefined
  /** Patterns of server names. Without `servers` and `tags`: all servers. */
  servers?: readonly string[] | undefined
  /** Servers with one of these tags. */
  tags?: readonly string[] | undefined
  /** Patterns of `SERVER.TOOL`; a server alone means all its tools. */
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  /** Only tools that are marked as read-only. */
  readOnly?: boolean | undefined
  /** The accounts of a server that may be used, the default first. For servers not listed: all. */
  accounts?: Readonly<Record<string, readonly string[]>> | undefined
}
