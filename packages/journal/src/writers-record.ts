import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, withLock } from '#base/replace-file'
import { chained, unchained, verifyLines } from './chain.ts'
import { partsOf } from './journal-files.ts'

/** Next to the files of days; retention does not remove it. */
export const recordName = 'writers.record'

/** How many lines there were, and their last chain value. */
export interface LastValue {
  lines: number
  last: string
}

export type RecordEntry =
  /** A file was begun; `under`: the day from which it is kept, if not that of its name. */
  | { open: string; under?: string | undefined }
  | ({ end: string } & LastValue)
  /** Retention removed a file on a day, when `newest` was the newest day with lines. */
  | ({ removed: string; newest: string; today: string } & LastValue)
  /** Days that retention removed, and whose entries the record no longer has. */
  | { forgotten: number }

/** Which files there should be. */
export interface WritersRecord {
  /** Days from which files are kept, by name. */
  files: Map<string, string>
  /** Of writers that have ended. */
  ends: Map<string, LastValue>
  /** Chain values of files that retention removed, by writer and number. */
  removed: Map<string, string>
  removedDays: number
  lastRemoved: { day: string; newest: string; today: string } | undefined
  /** The latest chain value of the record. */
  chain: string | undefined
  faults: string[]
}

/** Bytes above which entries of writers without files are dropped when files are removed. */
const maxBytes = 256 * 1024

/** @throws the error of the file system */
export function addToRecord(folder: string, entries: readonly RecordEntry[]): void {
  const path = join(folder, recordName)
  withLock(path, () => {
    const text = textIn(folder)
    // A crash may have left an unfinished line.
    const body = text.slice(0, text.lastIndexOf('\n') + 1)
    const isRemoval = entries.some((entry) => 'removed' in entry)
    if (isRemoval && body.length > maxBytes)
      return replaceFile(path, textOf(withoutGone([...linesOf(body).map(entryOf), ...entries])), {
        isDurable: false,
      })
    const next = textOf(entries, linesOf(body).at(-1))
    if (body === text) appendFileSync(path, next, { mode: 0o600 })
    else replaceFile(path, body + next, { isDurable: false })
  })
}

/** Undefined if the folder has no record. */
export function readRecord(folder: string): WritersRecord | undefined {
  const text = textIn(folder)
  if (text === '') return undefined
  const { faults, chain } = verifyLines(linesOf(text), undefined)
  return {
    ...recordOf(linesOf(text).map(entryOf)),
    chain,
    faults: faults.map((fault) => `${recordName}${fault}`),
  }
}

function recordOf(entries: readonly RecordEntry[]) {
  const files = new Map<string, string>()
  const ends = new Map<string, LastValue>()
  const removed = new Map<string, string>()
  const days = new Set<string>()
  let forgotten = 0
  let lastRemoved: WritersRecord['lastRemoved']
  for (const entry of entries)
    if ('forgotten' in entry) forgotten += entry.forgotten
    else if ('open' in entry) files.set(entry.open, entry.under ?? partsOf(entry.open).day)
    else if ('end' in entry) {
      if (entry.lines >= (ends.get(entry.end)?.lines ?? 0)) ends.set(entry.end, entry)
    } else {
      const { day, replica, number } = partsOf(entry.removed)
      files.delete(entry.removed)
      days.add(day)
      removed.set(`${replica} ${number}`, entry.last)
      lastRemoved = { day, newest: entry.newest, today: entry.today }
    }
  return { files, ends, removed, days, removedDays: days.size + forgotten, lastRemoved }
}

/** Without the entries of writers that have no file any more, but with the last removal. */
function withoutGone(entries: readonly RecordEntry[]): RecordEntry[] {
  const { files, removedDays } = recordOf(entries)
  const replicas = new Set([...files.keys()].map((name) => partsOf(name).replica))
  const last = entries.findLast((entry) => 'removed' in entry)
  const rest = entries.filter((entry) => {
    if (entry === last || 'forgotten' in entry) return entry === last
    if ('end' in entry) return replicas.has(entry.end)
    return replicas.has(partsOf('open' in entry ? entry.open : entry.removed).replica)
  })
  return [{ forgotten: removedDays - recordOf(rest).days.size }, ...rest]
}

const textIn = (folder: string): string => {
  try {
    return readFileSync(join(folder, recordName), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return ''
    throw error
  }
}

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

const textOf = (entries: readonly RecordEntry[], last?: string): string =>
  chained(
    entries.map((entry) => JSON.stringify(entry)).join('\n'),
    unchained(last ?? '')?.chain ?? '',
    last === undefined,
  )[0]

/** A line that is not an entry is a fault in the chain, and has no effect. */
function entryOf(line: string): RecordEntry {
  try {
    const entry = Object(JSON.parse(line)) as Record<string, unknown>
    const { open, end, removed, forgotten } = entry
    const isOne = [open, end, removed].some((name) => typeof name === 'string')
    if (isOne || Number.isInteger(forgotten)) return entry as unknown as RecordEntry
  } catch {
    // It is not JSON.
  }
  return { forgotten: 0 }
}
