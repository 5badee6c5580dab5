import { z } from 'zod'

/** Kind and name of a changed document. Every role of the database may send anything. */
export const notice = z
  .tuple([z.string().max(1_000), z.string().max(1_000)])
  // PostgreSQL cannot have it in a text.
  .refine((texts) => !texts.some((text) => text.includes('\0')))
export type Notice = z.output<typeof notice>

/** Changed documents that wait to be loaded; with more, all are loaded. */
const maxWaiting = 100

/** Loads changed documents one by one, each once; without a notice all. */
export function createLoads(
  load: (changed?: Notice) => Promise<void>,
  onLog: (text: string) => void,
) {
  /** By kind and name; undefined stands for all. */
  const waiting = new Map<string, Notice | undefined>()
  let running: Promise<void> | undefined
  let isClosed = false
  async function loadWaiting(): Promise<void> {
    for (const [key, changed] of waiting) {
      waiting.delete(key)
      await load(changed).catch(({ message }: Error) =>
        onLog(`Shared documents could not be read: ${message}.`),
      )
      if (isClosed) return
    }
    running = undefined
  }
  return {
    load(changed?: Notice): void {
      if (isClosed || waiting.has('')) return
      const next = waiting.size < maxWaiting ? changed : undefined
      if (next === undefined) waiting.clear()
      waiting.set(next ? next.join('\0') : '', next)
      running ??= loadWaiting()
    },
    /** Resolves when nothing is read any more. */
    async close(): Promise<void> {
      isClosed = true
      await running
    },
  }
}
