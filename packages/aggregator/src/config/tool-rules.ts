/** Filters and changes the tools of one server, for all clients. */
export interface ToolRules {
  /** Patterns of names. Without it: all tools. */
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  /** Only tools that are marked as read-only. */
  readOnly?: boolean | undefined
  /** By the tool's name at the server. */
  tools?: Readonly<Record<string, ToolOverride>> | undefined
}

export interface ToolOverride {
  /** The name that clients see. */
  name?: string | undefined
  description?: string | undefined
  tags?: readonly string[] | undefined
  /** False hides the tool; searches mention it. */
  enabled?: boolean | undefined
}
