import type { PinnedServer, Waiting } from './pin.ts'

/**
 * A tool whose name has no pin is held, or pinned at first sight. `ignore` stores nothing, and holds
 * what another process holds as new.
 */
export type NewTools = 'hold' | 'allow' | 'ignore'

const ofNewServer = 'of a new server'
const newSince = 'new since '

/** Why a tool without a pin is held. */
export function whyNew(
  { waiting }: PinnedServer,
  tool: string,
  { hash, now, isNewServer }: { hash: string; now: number; isNewServer: boolean },
): string {
  if (isNewServer) return ofNewServer
  const seenAt = waiting[tool]?.hash === hash ? waiting[tool].seenAt : now
  return `${newSince}${new Date(seenAt).toISOString().slice(0, 10)}`
}

/** Nothing but its newness holds it. */
export const isOnlyNew = ({ reasons }: Waiting): boolean =>
  reasons.every((reason) => reason === ofNewServer || reason.startsWith(newSince))
