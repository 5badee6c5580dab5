import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../files/replace-file.ts'
import type { HeartbeatWatch } from './heartbeat.ts'
import { journalFiles, nameParts } from './journal-files.ts'

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

const dayMs = 86_400_000
/** Expired files are removed if they are still expired after this time. */
const confirmedAfterMs = dayMs
/** Names of expired files, and since when that is known. Shared by all processes. */
const marksFile = 'expired.json'

type Marks = Record<string, number>

/**
 * Removes expired files and excess files, and unfinished lines of killed processes. Files of living
 * writers are skipped. A wrong clock must not delete files: expired files are marked first and
 * removed if they are still expired a day later.
 */
export function retain(options: RetentionOptions): void {
  const { folder, retentionDays, maxMegabytes, replica, isOpen, watch, now, onLog } = options
  const oldest = new Date(now.getTime() - retentionDays * dayMs).toISOString().slice(0, 10)
  const before = readMarks(folder)
  const marks: Marks = {}
  const alive = new Map<string, boolean>([[replica, isOpen]])
  // Including writers without files: their heartbeat is removed once it has stopped.
  for (const one of watch.replicas()) if (one !== replica) alive.set(one, watch.isAlive(one))
  let bytes = 0
  let removed = 0
  for (const path of journalFiles(folder).reverse()) {
    const parts = nameParts(path)
    if (parts === undefined) continue
    const { name, day, replica: owner } = parts
    try {
      bytes += statSync(path).size
      if (!alive.has(owner)) alive.set(owner, watch.isAlive(owner))
      if (alive.get(owner)) continue
      const isOld = day < oldest && isConfirmed(name)
      if (isOld || bytes > maxMegabytes * 1024 * 1024) {
        unlinkSync(path)
        removed++
      } else endWithLine(path)
    } catch {
      // Another process may be removing files, too.
    }
  }
  writeMarks(folder, before, marks)
  if (removed > 0)
    onLog(
      `${removed} old ${removed === 1 ? 'file' : 'files'} of the journal in ${folder} ${removed === 1 ? 'was' : 'were'} removed.`,
    )

  function isConfirmed(name: string): boolean {
    const since = before[name]
    const isKnown = since !== undefined && since <= now.getTime()
    marks[name] = isKnown ? since : now.getTime()
    return isKnown && now.getTime() - since >= confirmedAfterMs
  }
}

function readMarks(folder: string): Marks {
  try {
    const marks: unknown = JSON.parse(readFileSync(join(folder, marksFile), 'utf8'))
    const entries = Object.entries(marks as object).filter(([, at]) => Number.isFinite(at))
    return Object.fromEntries(entries) as Marks
  } catch {
    return {}
  }
}

function writeMarks(folder: string, before: Marks, marks: Marks): void {
  if (JSON.stringify(before) === JSON.stringify(marks)) return
  try {
    replaceFile(join(folder, marksFile), JSON.stringify(marks))
  } catch {
    // The files are kept for longer then.
  }
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
