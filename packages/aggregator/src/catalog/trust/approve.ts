import type { PinnedServer } from './pin.ts'

/**
 * Pin what a tool says now, in place of what was pinned; with a hash, or the beginning of one, only
 * what was looked at. Whether there was such a thing to approve.
 */
export function approveTool(pinned: PinnedServer, tool: string, hash = ''): boolean {
  const waiting = Object.hasOwn(pinned.waiting, tool) ? pinned.waiting[tool] : undefined
  if (waiting === undefined || !waiting.hash.startsWith(hash)) return false
  const { definition } = waiting
  pinned.pins[tool] = { hash: waiting.hash, definition, pinnedAt: Date.now(), isApproved: true }
  delete pinned.waiting[tool]
  return true
}

/** The next sight of it counts. Whether there was anything to forget. */
export function forgetTool(pinned: PinnedServer, tool: string): boolean {
  const isThere = Object.hasOwn(pinned.pins, tool) || Object.hasOwn(pinned.waiting, tool)
  delete pinned.pins[tool]
  delete pinned.waiting[tool]
  return isThere
}
