export interface LimitSettings {
  /** Calls of one caller, of whatever tool; those without a name of their own count as one. */
  caller?: Rate | undefined
  /** Calls of the tools of one server, of all callers. */
  server?: Rate | undefined
  /** Calls of one tool, of all callers. */
  tool?: Rate | undefined
  /** What the results of one session may cost a model, in tokens. */
  sessionTokens?: number | undefined
  /** Of callers with names, in place of the above. */
  callers?: Readonly<
    Record<string, { rate?: Rate | undefined; sessionTokens?: number | undefined }>
  >
}

/** So many calls in so many seconds. */
export interface Rate {
  calls: number
  seconds: number
}
