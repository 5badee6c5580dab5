import type { ServerAccount } from '#servers/protocol/server-account'

/** A call of a server's tool. Its arguments are kept in memory only. */
export interface RecentCall {
  /** In ISO 8601. */
  time: string
  server: ServerAccount
  tool: string
  args: unknown
  caller: string | undefined
  profile: string | undefined
}

/** The last calls of this process, to show which of them a new rule would have met. */
export type RecentCalls = ReturnType<typeof createRecentCalls>

const maxCalls = 100
/** Bytes of the arguments of a call; a call with more is not kept. */
const maxArgsBytes = 20_000

export function createRecentCalls() {
  const calls: RecentCall[] = []
  return {
    note(call: RecentCall, argsBytes: number): void {
      if (argsBytes > maxArgsBytes) return
      calls.push(call)
      if (calls.length > maxCalls) calls.shift()
    },
    /** The newest first. */
    list: (): readonly RecentCall[] => calls.toReversed(),
  }
}
