import type { JournalLine } from './journal.ts'
import { createJournalTail } from './journal-tail.ts'

/** Outcomes of calls that were sent: whether they took effect is not known. */
export const unknownOutcomes: readonly string[] = [
  'unknown',
  'timeout',
  'cancelled',
  'upstream_down',
  'upstream_closed',
]

/**
 * Calls that were begun and have no known outcome, by what is the same for equal calls. Resolves to
 * their latest lines, the first call first.
 */
export type FindOpenEffects = (key: string, since: string) => Promise<readonly JournalLine[]>

/** The id of a call that may change something: the key of equal calls, and the process that sends it. */
export const effectId = (key: string, writer: string, count: number): string =>
  `${key}:${writer}:${count}`

export function partsOfEffect(id: string): { key: string; writer: string } {
  const [key = '', ...rest] = id.split(':')
  return { key, writer: rest.slice(0, -1).join(':') }
}

/** Calls without a known outcome; a call with a known one settles equal ones before it. */
export function createOpenEffects() {
  const byKey = new Map<string, Map<string, JournalLine>>()

  function add(line: JournalLine, effect: string): void {
    const { key } = partsOfEffect(effect)
    const open = byKey.get(key) ?? new Map<string, JournalLine>()
    if (rankOf(line) < settled) byKey.set(key, open.set(effect, line))
    else {
      for (const [id, { time }] of open) if (time <= line.time) open.delete(id)
      open.delete(effect)
      if (open.size === 0) byKey.delete(key)
    }
  }

  return {
    /** Lines of several writers, in any order. */
    add(lines: readonly JournalLine[]): void {
      for (const line of [...lines].sort((a, b) => rankOf(a) - rankOf(b)))
        if (line.effect !== undefined) add(line, line.effect)
    },
    of: (key: string): JournalLine[] => [...(byKey.get(key)?.values() ?? [])],
    all: (): JournalLine[] => [...byKey.values()].flatMap((open) => [...open.values()]),
    /** Drops what was begun before a time. */
    forget(before: string): void {
      for (const [key, open] of byKey) {
        for (const [id, { time }] of open) if (time < before) open.delete(id)
        if (open.size === 0) byKey.delete(key)
      }
    },
  }
}

/** A call is begun, may become unknown, and is settled. */
const settled = 2
const rankOf = ({ kind, outcome }: JournalLine): number =>
  kind === 'begun' ? 0 : unknownOutcomes.includes(outcome) ? 1 : settled

/** Milliseconds for which calls without a known outcome are found. */
const keptMs = 24 * 3_600_000

/** Reads what is new in a folder at each search. */
export function createFileEffects(folder: string): FindOpenEffects {
  const tail = createJournalTail(folder)
  const effects = createOpenEffects()
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function readNew(): Promise<void> {
    const first = new Date(Date.now() - keptMs).toISOString()
    const lines: JournalLine[] = []
    const note = (line: JournalLine) => void (line.effect !== undefined && lines.push(line))
    await tail.readNew(note, first.slice(0, 10))
    effects.add(lines)
    effects.forget(first)
  }

  function begin(): Promise<void> {
    next = undefined
    running = readNew().finally(() => {
      running = undefined
    })
    return running
  }

  return async (key, since) => {
    // A reading that has begun may have passed the line that is sought: all wait for the next one.
    if (running !== undefined) next ??= running.catch(() => {}).then(begin)
    await (next ?? begin())
    return effects.of(key).filter(({ time }) => time >= since)
  }
}
