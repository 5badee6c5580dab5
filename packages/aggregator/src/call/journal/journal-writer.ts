import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { chained, maxChainBytes } from './chain.ts'
import { createHeartbeat, type Heartbeat, watchHeartbeats } from './heartbeat.ts'
import type { JournalLine } from './journal.ts'
import { retain } from './retention.ts'

export interface JournalWriterOptions {
  folder: string
  /** Days that lines are kept. */
  retentionDays: number
  /** Size of all files; the oldest are deleted first. */
  maxMegabytes: number
  onLog: (text: string) => void
  now: () => Date
  /** Milliseconds of a monotonic clock. */
  monotonicMs: () => number
}

const maxBytesOfFile = 8 * 1024 * 1024
/** Milliseconds between checks for ended writers and expired files. */
const lookMs = 75_000

/**
 * Writes JSON lines to files with one writer each, so that lines of two writers never mix:
 * `2026-11-21.<replica>.<number>.jsonl`, a new file for each day and each 8 MB. A replica is a
 * random name; a heartbeat file in the same folder shows that it is alive.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions
  readonly #watch: ReturnType<typeof watchHeartbeats>
  #heartbeat: Heartbeat | undefined
  #file: { descriptor: number; day: string; bytes: number } | undefined
  #lookAgain: NodeJS.Timeout | undefined
  #number = 0
  /** Chain value of the last group. */
  #chain = ''

  constructor(options: JournalWriterOptions) {
    this.#options = options
    this.#watch = watchHeartbeats(options.folder, options.monotonicMs)
  }

  /**
   * Writes a group of lines.
   * @throws the error of the file system; the group is written whole or not at all
   */
  write(lines: readonly JournalLine[]): void {
    // Another process may have removed it: a process that was paused for long counts as gone.
    if (this.#file && fstatSync(this.#file.descriptor).nlink === 0) this.#release()
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const maxBytes = Buffer.byteLength(text) + maxChainBytes
    // The time of writing: calls end in another order than they begin, and clocks may go back.
    const today = this.#options.now().toISOString().slice(0, 10)
    const day = this.#file && this.#file.day > today ? this.#file.day : today
    const isFull = (this.#file?.bytes ?? 0) + maxBytes > maxBytesOfFile
    if (this.#file && (this.#file.day !== day || isFull)) this.#release()
    this.#file ??= this.#open(day)
    const [group, chain] = chained(text, this.#chain, this.#file.bytes === 0)
    writeWhole(this.#file, Buffer.from(group))
    this.#chain = chain
  }

  close(): void {
    clearInterval(this.#lookAgain)
    this.#lookAgain = undefined
    this.#release()
    this.#heartbeat?.close()
    this.#heartbeat = undefined
    this.#chain = ''
  }

  #open(day: string): { descriptor: number; day: string; bytes: number } {
    const { folder } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#heartbeat ??= createHeartbeat(folder)
    this.#lookAgain ??= setInterval(() => this.#tidy(), lookMs).unref()
    this.#tidy()
    const name = `${day}.${this.#heartbeat.replica}.${++this.#number}.jsonl`
    return { descriptor: openSync(join(folder, name), 'ax', 0o600), day, bytes: 0 }
  }

  #release(): void {
    if (this.#file) closeSync(this.#file.descriptor)
    this.#file = undefined
  }

  /** Repeated some time after the start: only then is it known which writers are gone. */
  #tidy(): void {
    if (this.#heartbeat === undefined) return
    const { folder, retentionDays, maxMegabytes, onLog, now } = this.#options
    try {
      retain({
        folder,
        retentionDays,
        maxMegabytes,
        replica: this.#heartbeat.replica,
        watch: this.#watch,
        now: now(),
        isOpen: this.#file !== undefined,
        onLog,
      })
    } catch {
      // Writing fails for the same reason, and that error is reported.
    }
  }
}

/** All or nothing: a group that does not fit on the disk is truncated again. */
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
