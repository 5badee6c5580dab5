import { closeSync, openSync, readSync } from 'node:fs'
import { vi } from 'vitest'
import type { Bag, Message } from './wire.ts'

interface Entry {
  dir?: 'in' | 'out'
  message?: Message
  headers?: Record<string, string>
  event?: string
  id?: string | number
}

/** What the spy received and sent, in its own words. */
export interface SpyLog {
  /** A place in the log, to look only at what comes after it. */
  mark(): number
  since(mark: number): Entry[]
  received(mark: number, method: string): Message[]
  sent(mark: number): Message[]
  /** What the spy answered to the last of these requests. */
  lastAnswer(method: string): Message | undefined
  /** A list as the spy last sent it, both of its pages. */
  lastList(key: string): Bag[]
}

function follow(file: string): () => Entry[] {
  const entries: Entry[] = []
  const chunk = Buffer.alloc(1 << 16)
  let offset = 0
  let rest = Buffer.alloc(0)
  return () => {
    const handle = openSync(file, 'a+')
    for (;;) {
      const length = readSync(handle, chunk, 0, chunk.length, offset)
      if (length === 0) break
      offset += length
      rest = Buffer.concat([rest, chunk.subarray(0, length)])
    }
    closeSync(handle)
    const end = rest.lastIndexOf(10) + 1
    const lines = rest.subarray(0, end).toString().split('\n').filter(Boolean)
    rest = rest.subarray(end)
    entries.push(...lines.map((line): Entry => JSON.parse(line)))
    return entries
  }
}

export function readSpyLog(file: string): SpyLog {
  const entries = follow(file)
  const since = (mark: number) => entries().slice(mark)
  const messages = (mark: number, dir: 'in' | 'out') =>
    since(mark).flatMap((entry) => (entry.dir === dir && entry.message ? [entry.message] : []))
  return {
    mark: () => entries().length,
    since,
    received: (mark, method) => messages(mark, 'in').filter((message) => message.method === method),
    sent: (mark) => messages(mark, 'out'),
    lastAnswer(method) {
      const all = entries()
      const at = all.findLastIndex(({ dir, message }) => dir === 'in' && message?.method === method)
      const id = all[at]?.message?.id
      const answer = all.slice(at).find(({ dir, message }) => dir === 'out' && message?.id === id)
      return answer?.message
    },
    lastList(key) {
      const pages = messages(0, 'out').flatMap(({ result }) => (result?.[key] ? [result] : []))
      const items = (first: boolean) =>
        pages.findLast((page) => (page['nextCursor'] !== undefined) === first)?.[key] ?? []
      return [true, false].flatMap((first) => items(first) as Bag[])
    },
  }
}

/** Waits for what another process is about to do. */
export const until = <T>(look: () => T, timeout = 25_000) =>
  vi.waitFor(look, { timeout, interval: 5 })
