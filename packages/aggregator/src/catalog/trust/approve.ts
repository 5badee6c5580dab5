import type { JsonObject } from '#servers/protocol/message'
import { hashOf, type PinnedServer, pinnedPart } from './pin.ts'

/**
 * Pins the current definition of a waiting tool. With `hash`, or its beginning, only that
 * definition. Returns false if there is nothing to approve.
 */
export function approveTool(pinned: PinnedServer, tool: string, hash = ''): boolean {
  const candidate = Object.hasOwn(pinned.waiting, tool) ? pinned.waiting[tool] : undefined
  if (candidate === undefined || !candidate.hash.startsWith(hash)) return false
  const { definition } = candidate
  pinned.pins[tool] = { hash: candidate.hash, definition, pinnedAt: Date.now(), isApproved: true }
  delete pinned.waiting[tool]
  return true
}

/** Pins tools as they are now, as approved. */
export function approveDefinitions(
  { pins }: PinnedServer,
  definitions: readonly JsonObject[],
  pinnedAt: number,
): void {
  for (const tool of definitions)
    pins[String(tool['name'])] = {
      hash: hashOf(tool),
      definition: pinnedPart(tool),
      pinnedAt,
      isApproved: true,
    }
}

/** Deletes a tool's pin: its next definition is pinned. Returns false if there was no pin. */
export function forgetTool(pinned: PinnedServer, tool: string): boolean {
  const isThere = Object.hasOwn(pinned.pins, tool) || Object.hasOwn(pinned.waiting, tool)
  delete pinned.pins[tool]
  delete pinned.waiting[tool]
  return isThere
}
