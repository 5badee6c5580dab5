/** Which tools of one server there are for anyone, and how they are shown. */
export interface ToolRules {
  /** Patterns of names; without them all. */
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  /** Only tools that say they change nothing. */
  readOnly?: boolean | undefined
  /** By the name the server gives the tool. */
  tools?: Readonly<Record<string, ToolOverride>> | undefined
}

export interface ToolOverride {
  /** Another name for it. */
  name?: string | undefined
  description?: string | undefined
  tags?: readonly string[] | undefined
  /** Not there until it is switched on again; searches say so. */
  enabled?: boolean | undefined
}
