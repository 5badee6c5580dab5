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
  days: number
  megabytes: number
  /** Whose files are its own. */
  replica: string
  /** One of them is open: then they are left alone. */
  isOpen: boolean
  watch: HeartbeatWatch
  now: Date
  onLog: (text: string) => void
}

const dayMs = 86_400_000
/** Files that are too old are removed if they still are so much later. */
const confirmedAfterMs = dayMs
/** Written by whoever looks: names of files that are too old, and since when that is known. */
const marksFile = 'expired.json'

type Marks = Record<string, number>

/**
 * Remove what is old or too much, and the beginnings of lines that a killed process left. Files of
 * living writers are left alone. One look at the clock removes nothing: what is too old is marked,
 * and removed when it is too old at another look, a day later.
 */
export function retain(options: RetentionOptions): void {
  const { folder, days, megabytes, replica, isOpen, watch, now, onLog } = options
  const oldest = new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
  const before = readMarks(folder)
  const marks: Marks = {}
  const alive = new Map<string, boolean>([[replica, isOpen]])
  // Also of those that have left no file: their heartbeat goes once it is known to stand still.
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
      if (isOld || bytes > megabytes * 1024 * 1024) {
        unlinkSync(path)
        removed++
      } else endWithLine(path)
    } catch {
      // Another process tidies too.
    }
  }
  writeMarks(folder, before, marks)
  if (removed > 0) onLog(`${removed} old files of the journal in ${folder} were removed.`)

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
    // Then they stay for longer.
  }
}

/** Nobody was told of a line that was not written to its end. */
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
