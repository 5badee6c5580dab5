/** Rates and budgets of callers, servers and tools; a member that is absent sets no limit. */
export interface LimitSettings {
  /** Calls of one caller, to all tools; callers without a name count as one. */
  caller?: Rate | undefined
  /** Calls to one server, of all callers. */
  server?: Rate | undefined
  /** Calls to one tool, of all callers. */
  tool?: Rate | undefined
  /** Tokens that the results of one session may take. */
  sessionTokens?: number | undefined
  /** Limits of named callers; they override `caller` and `sessionTokens`. */
  callers?: Readonly<
    Record<string, { rate?: Rate | undefined; sessionTokens?: number | undefined }>
  >
}

/** At most `calls` within `seconds`. */
export interface Rate {
  calls: number
  seconds: number
}
