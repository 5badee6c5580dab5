import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { unchained } from './chain.ts'
import { expiredUntil, keptUnder, type Removal } from './expired-until.ts'
import type { HeartbeatWatch } from './heartbeat.ts'
import { type JournalFile, journalFiles, partsOf } from './journal-files.ts'
import { addToRecord, readRecord } from './writers-record.ts'

interface RetentionOptions {
  folder: string
  retentionDays: number
  maxMegabytes: number
  /** The writer of our own files. */
  replica: string
  /** One of our files is open: all of them are skipped. */
  isOpen: boolean
  watch: HeartbeatWatch
  now: Date
  onLog: (text: string) => void
}

interface KeptFile extends JournalFile {
  path: string
  /** The day from which it is kept. */
  under: string
}

/**
 * Removes the files of one expired day and excess files, and unfinished lines of killed processes.
 * Files of living writers are skipped. `under`: the day from which new files are kept, if not today.
 */
export function retain(options: RetentionOptions): {
  removals: Removal[]
  under: string | undefined
} {
  const { folder, retentionDays, now, onLog } = options
  const record = readRecord(folder)
  const files = journalFiles(folder).map((path) => {
    const parts = partsOf(path)
    return { ...parts, path, under: record?.files.get(parts.name) ?? parts.day }
  })
  const days = [...new Set(files.map(({ under }) => under))].sort()
  const today = now.toISOString().slice(0, 10)
  const { expired = '', newest } = expiredUntil({ today, days, retentionDays })
  const { old, excess } = removable(files, expired, options)
  const { lastRemoved: last } = record ?? {}
  const [{ day } = { day: '' }] = old
  // Of a day that is removed already, writers that lived had other files.
  const isDue = last === undefined || day <= last.day
  const isNext = last?.newest !== newest && last?.today !== today
  const removals = [
    ...remove(folder, excess, { newest, today, reason: 'maxMegabytes' }),
    ...remove(
      folder,
      old.filter((file) => file.day === day && (isDue || isNext)),
      { newest, today, reason: 'retentionDays' },
    ),
  ]
  for (const { day, lines, reason } of removals)
    onLog(`${lines} lines of ${day} were removed from the journal in ${folder}: ${reason}.`)
  return { removals, under: keptUnder({ today, days }) }
}

/** Files of ended writers, the oldest first. */
function removable(files: readonly KeptFile[], expired: string, options: RetentionOptions) {
  const { replica, isOpen, watch, maxMegabytes } = options
  const alive = new Map<string, boolean>([[replica, isOpen]])
  // Including writers without files: their heartbeat is removed once it has stopped.
  for (const peer of watch.replicas()) if (peer !== replica) alive.set(peer, watch.isAlive(peer))
  const old: KeptFile[] = []
  const excess: KeptFile[] = []
  let bytes = 0
  for (const file of [...files].reverse()) {
    const { path, replica: owner, under } = file
    try {
      bytes += statSync(path).size
      if (!alive.has(owner)) alive.set(owner, watch.isAlive(owner))
      if (alive.get(owner)) continue
      if (bytes > maxMegabytes * 1024 * 1024) excess.unshift(file)
      else if (under <= expired) old.unshift(file)
      else endWithLine(path)
    } catch {
      // Another process may be removing files, too.
    }
  }
  return { old, excess }
}

/** The record is written first: a missing file that is not in it is a fault. */
function remove(
  folder: string,
  files: readonly KeptFile[],
  { reason, ...look }: Pick<Removal, 'reason'> & { newest: string; today: string },
): Removal[] {
  const days = new Map<string, Removal>()
  const entries = files.map(({ name, day, path }) => {
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n').slice(0, -1)
    const before = days.get(day) ?? { lines: 0, bytes: 0 }
    const bytes = before.bytes + Buffer.byteLength(text)
    days.set(day, { day, lines: before.lines + lines.length, bytes, reason })
    const last = unchained(lines.at(-1) ?? '')?.chain ?? ''
    return { removed: name, ...look, lines: lines.length, last }
  })
  if (entries.length > 0) addToRecord(folder, entries)
  for (const { path } of files) rmSync(path, { force: true })
  return [...days.values()]
}

/** Truncates an unfinished last line: `write` has not returned for it. */
function endWithLine(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    const { size } = fstatSync(descriptor)
    const tail = Buffer.alloc(Math.min(size, 64 * 1024))
    readSync(descriptor, tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf(10)
    if (end < tail.length - 1) ftruncateSync(descriptor, size - tail.length + end + 1)
  } finally {
    closeSync(descriptor)
  }
}
