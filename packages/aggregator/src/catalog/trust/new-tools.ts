import type { PinnedServer, Waiting } from './pin.ts'

/**
 * A tool whose name has no pin is held, or pinned at first sight. `ignore` stores nothing, and holds
 * what another process holds as new.
 */
export type NewTools = 'hold' | 'allow' | 'ignore'

const ofNewServer = 'new server, not reviewed yet'
const newSince = 'new since '

/** The reasons for which tools without a pin are held. */
export function whyNew(
  { pins, waiting, isLost }: PinnedServer,
  newTools: NewTools,
  now: () => number,
): (tool: string, hash: string) => string[] {
  const isNewServer = Object.keys(pins).length === 0
  return (tool, hash) => {
    const entry = waiting[tool]
    const isHeld =
      isLost || newTools === 'hold' || (newTools === 'ignore' && entry && isOnlyNew(entry))
    if (!isHeld || pins[tool] !== undefined) return []
    const since = entry?.hash === hash ? entry.seenAt : now()
    return [isNewServer ? ofNewServer : newSince + new Date(since).toISOString().slice(0, 10)]
  }
}

/** The log names the file. */
export const unreadablePins =
  'the pin file of its server cannot be used; an operator must remove the file, and review the server again'

/** Reasons of what differs from what was pinned. */
export const changeReasons = {
  definition: 'changed since it was pinned',
  app: 'its interface has changed',
  content: 'its content has changed since it was pinned',
}

/** Whether it is held for a change, and for what the check of its name and text found. */
export function causesOf({ reasons }: Waiting) {
  const more = reasons.filter((reason) => reason !== ofNewServer && !reason.startsWith(newSince))
  const changes = more.filter((reason) => Object.values(changeReasons).includes(reason))
  return { isChanged: changes.length > 0, hasFindings: more.length > changes.length }
}

/** Nothing but its newness holds it. */
export function isOnlyNew(tool: Waiting): boolean {
  const { isChanged, hasFindings } = causesOf(tool)
  return !isChanged && !hasFindings
}
