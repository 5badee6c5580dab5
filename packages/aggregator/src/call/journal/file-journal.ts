import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createHeartbeat, type Heartbeat, watchHeartbeats } from './heartbeat.ts'
import type { Journal, JournalLine, JournalLoss } from './journal.ts'
import { retain } from './retention.ts'

export interface FileJournalOptions {
  folder: string
  /** Days that lines are kept. Default 90. */
  retentionDays?: number | undefined
  /** Size of all files; the oldest are deleted first. Default 200. */
  maxMegabytes?: number | undefined
  onLog: (text: string) => void
  now?: () => Date
  /** Milliseconds of a monotonic clock. */
  monotonicMs?: () => number
}

const maxBytesOfFile = 8 * 1024 * 1024
/** Milliseconds between checks for ended writers and expired files. */
const lookMs = 75_000
/** Characters of the reason why a line could not be written. */
const maxMessageLength = 200

/**
 * Writes JSON lines to files with one writer each, so that lines of two writers never mix:
 * `2026-11-21.<replica>.<number>.jsonl`, a new file for each day and each 8 MB. A replica is a
 * random name; a heartbeat file in the same folder shows that it is alive. Lines that could not be
 * written are counted and recorded as one line of kind `event` before the next line.
 */
export function createFileJournal(options: FileJournalOptions): Journal {
  const { folder, retentionDays = 90, maxMegabytes = 200, onLog, now = () => new Date() } = options
  const { monotonicMs = () => performance.now() } = options
  const watch = watchHeartbeats(folder, monotonicMs)
  let heartbeat: Heartbeat | undefined
  let file: { descriptor: number; day: string; bytes: number } | undefined
  let lookAgain: NodeJS.Timeout | undefined
  let number = 0
  let loss: JournalLoss | undefined
  /** Lines of `loss` that are not recorded in a line yet. */
  let unwritten = 0

  function open(day: string): NonNullable<typeof file> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    heartbeat ??= createHeartbeat(folder)
    lookAgain ??= setInterval(() => tidy(), lookMs).unref()
    tidy()
    const { replica } = heartbeat
    const name = `${day}.${replica}.${++number}.jsonl`
    return { descriptor: openSync(join(folder, name), 'ax', 0o600), day, bytes: 0 }
  }

  /** Repeated some time after the start: only then is it known which writers are gone. */
  function tidy(): void {
    if (heartbeat === undefined) return
    const { replica } = heartbeat
    try {
      retain({
        folder,
        retentionDays,
        maxMegabytes,
        replica,
        watch,
        now: now(),
        isOpen: file !== undefined,
        onLog,
      })
    } catch {
      // Writing fails for the same reason, and that error is reported.
    }
  }

  function write(line: JournalLine): void {
    // Another process may have removed it: a process that was paused for long counts as gone.
    if (file && fstatSync(file.descriptor).nlink === 0) release()
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    // The time of writing: calls end in another order than they begin, and clocks may go back.
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
    const message = (error as Error).message.slice(0, maxMessageLength)
    if (unwritten === 0) onLog(`The journal in ${folder} cannot be written: ${message}.`)
    unwritten++
    loss = { lines: (loss?.lines ?? 0) + 1, message: message, time: now().toISOString() }
  }

  function describeLoss(): void {
    if (unwritten === 0 || loss === undefined) return
    const { time, message } = loss
    write({ time, kind: 'event', outcome: 'journal_gap', count: unwritten, message: message })
    onLog(
      `The journal in ${folder} can be written again; ${unwritten} ${unwritten === 1 ? 'line is' : 'lines are'} missing.`,
    )
    unwritten = 0
  }

  return {
    write(line) {
      try {
        describeLoss()
        write(line)
      } catch (error) {
        lose(error)
      }
    },
    loss: () => loss,
    close() {
      try {
        describeLoss()
      } catch {
        // The missing lines have been logged.
      }
      clearInterval(lookAgain)
      lookAgain = undefined
      release()
      heartbeat?.close()
      heartbeat = undefined
    },
  }
}

/** All or nothing: a line that does not fit on the disk is truncated again. */
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
