/** Those who come with a token, by name. */
export type Callers = Readonly<Record<string, { profile?: string | undefined }>>

/** A named part of all there is. What is not in it does not exist for whoever is shown it. */
export interface ProfileSettings {
  description?: string | undefined
  /** Patterns of names of servers. Without it and `tags` all. */
  servers?: readonly string[] | undefined
  /** Servers with one of these. */
  tags?: readonly string[] | undefined
  /** Patterns of `server.tool`; a server alone stands for all its tools. */
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  /** Only tools that say they change nothing. */
  readOnly?: boolean | undefined
  /** The accounts of servers that may be used, the default first. Of servers not named, all. */
  accounts?: Readonly<Record<string, readonly string[]>> | undefined
}
