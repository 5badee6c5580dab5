import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createHeartbeat, type Heartbeat, watchHeartbeats } from './heartbeat.ts'
import type { Journal, JournalLine, JournalLoss } from './journal.ts'
import { retain } from './retention.ts'

export interface FileJournalOptions {
  folder: string
  /** How long lines are kept. Default 90. */
  days?: number | undefined
  /** Of all files; the oldest make room. Default 200. */
  megabytes?: number | undefined
  onLog: (text: string) => void
  now?: () => Date
  /** Milliseconds of a clock that nobody sets. */
  monotonicMs?: () => number
}

const maxBytesOfFile = 8 * 1024 * 1024
/** How often it is looked who is gone, and what is old. */
const lookMs = 75_000
/** Of why a line could not be written. */
const maxSaid = 200

/**
 * Lines of JSON in files of one writer each, so that no line of one ends in the midst of another's:
 * `2026-11-21.<replica>.<number>.jsonl`, a new one for each day and each 8 MB. A replica is a random
 * name; its heartbeat in the same folder says that it lives. Lines that could not be written are
 * counted, and stand as one line of the kind `event` before the first that can.
 */
export function createFileJournal(options: FileJournalOptions): Journal {
  const { folder, days = 90, megabytes = 200, onLog, now = () => new Date() } = options
  const { monotonicMs = () => performance.now() } = options
  const watch = watchHeartbeats(folder, monotonicMs)
  let heartbeat: Heartbeat | undefined
  let file: { descriptor: number; day: string; bytes: number } | undefined
  let lookAgain: NodeJS.Timeout | undefined
  let number = 0
  let loss: JournalLoss | undefined
  /** Of `loss`, those that stand in no line yet. */
  let unsaid = 0

  function open(day: string): NonNullable<typeof file> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    heartbeat ??= createHeartbeat(folder)
    lookAgain ??= setInterval(() => tidy(), lookMs).unref()
    tidy()
    const { replica } = heartbeat
    const name = `${day}.${replica}.${++number}.jsonl`
    return { descriptor: openSync(join(folder, name), 'ax', 0o600), day, bytes: 0 }
  }

  /** Once more a while after the start: only then is it known who is gone. */
  function tidy(): void {
    if (heartbeat === undefined) return
    const { replica } = heartbeat
    try {
      retain({
        folder,
        days,
        megabytes,
        replica,
        watch,
        now: now(),
        isOpen: file !== undefined,
        onLog,
      })
    } catch {
      // Writing fails as well then, and that error is reported.
    }
  }

  function write(line: JournalLine): void {
    // Somebody may have removed it: whoever was stopped for long is taken for gone.
    if (file && fstatSync(file.descriptor).nlink === 0) release()
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    // Of the writing: calls end in another order than they begin, and clocks may go back.
    const today = now().toISOString().slice(0, 10)
    const day = file && file.day > today ? file.day : today
    if (file && (file.day !== day || file.bytes + bytes.length > maxBytesOfFile)) release()
    file ??= open(day)
    writeWhole(file, bytes)
  }

  function release(): void {
    if (file) closeSync(file.descriptor)
    file = undefined
  }

  function lose(error: unknown): void {
    const said = (error as Error).message.slice(0, maxSaid)
    if (unsaid === 0) onLog(`the journal in ${folder} cannot be written: ${said}`)
    unsaid++
    loss = { lines: (loss?.lines ?? 0) + 1, said, time: now().toISOString() }
  }

  function sayLoss(): void {
    if (unsaid === 0 || loss === undefined) return
    const { time, said } = loss
    write({ time, kind: 'event', outcome: 'journal_gap', count: unsaid, said })
    onLog(`the journal in ${folder} can be written again; ${unsaid} lines are missing.`)
    unsaid = 0
  }

  return {
    write(line) {
      try {
        sayLoss()
        write(line)
      } catch (error) {
        lose(error)
      }
    },
    loss: () => loss,
    close() {
      try {
        sayLoss()
      } catch {
        // It was logged that they are missing.
      }
      clearInterval(lookAgain)
      lookAgain = undefined
      release()
      heartbeat?.close()
      heartbeat = undefined
    },
  }
}

/** Whole, or not at all: what was written of a line that did not fit on the disk is taken back. */
function writeWhole(file: { descriptor: number; bytes: number }, bytes: Buffer): void {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(file.descriptor, bytes, written)
    file.bytes += written
  } catch (error) {
    ftruncateSync(file.descriptor, file.bytes)
    throw error
  }
}
