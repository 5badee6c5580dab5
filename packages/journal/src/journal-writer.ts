import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { chained, maxChainBytes, seedOf } from './chain.ts'
import { dayAfter, removalLine } from './expired-until.ts'
import { createHeartbeat, type Heartbeat, watchHeartbeats } from './heartbeat.ts'
import type { JournalLine } from './journal.ts'
import { retain } from './retention.ts'
import { addToRecord, type LastValue } from './writers-record.ts'

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

/** Bytes that must fit before a call that needs its line. */
const spaceBytes = 4096
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
  #value: LastValue = { lines: 0, last: '' }
  /** Lines about removed days, which are written with the next group. */
  #notes: JournalLine[] = []

  constructor(options: JournalWriterOptions) {
    this.#options = options
    const { folder, monotonicMs } = options
    this.#watch = watchHeartbeats(folder, monotonicMs, (end, value) =>
      addToRecord(folder, [{ end, ...value }]),
    )
  }

  /** @throws the error of the file system, if no line can be written now */
  prepare(): void {
    this.#file ??= this.#open(this.#today())
    writeWhole({ ...this.#file }, Buffer.alloc(spaceBytes, ' '))
    ftruncateSync(this.#file.descriptor, this.#file.bytes)
  }

  /**
   * Writes a group of lines.
   * @throws the error of the file system; the group is written whole or not at all
   */
  write(lines: readonly JournalLine[]): void {
    // Another process may have removed it: a process that was paused for long counts as gone.
    if (this.#file && fstatSync(this.#file.descriptor).nlink === 0) this.#release()
    const bytesOf = (text: string): number => Buffer.byteLength(text) + maxChainBytes
    let text = textOf(lines)
    // The time of writing: calls end in another order than they begin.
    const today = this.#today()
    // Clocks that go back by less than a day begin no new file.
    const day = this.#file && dayAfter(today) === this.#file.day ? this.#file.day : today
    const isFull = (this.#file?.bytes ?? 0) + bytesOf(text) > maxBytesOfFile
    if (this.#file && (this.#file.day !== day || isFull)) this.#release()
    this.#file ??= this.#open(day)
    const notes = this.#notes
    if (notes.length > 0) text = textOf([...notes, ...lines])
    const [group, last] = chained(text, this.#value.last, this.#file.bytes === 0)
    writeWhole(this.#file, Buffer.from(group))
    this.#value = { lines: this.#value.lines + notes.length + lines.length, last }
    this.#notes = []
    this.#heartbeat?.note(this.#value)
  }

  close(): void {
    clearInterval(this.#lookAgain)
    this.#lookAgain = undefined
    this.#release()
    let stays = false
    try {
      if (this.#number > 0)
        addToRecord(this.#options.folder, [{ end: this.#heartbeat?.replica ?? '', ...this.#value }])
    } catch {
      stays = true
    }
    this.#heartbeat?.close({ stays })
    this.#heartbeat = undefined
    this.#number = 0
    this.#value = { lines: 0, last: '' }
  }

  #today(): string {
    return this.#options.now().toISOString().slice(0, 10)
  }

  #open(day: string): { descriptor: number; day: string; bytes: number } {
    const { folder } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#heartbeat ??= createHeartbeat(folder)
    this.#lookAgain ??= setInterval(() => this.#look(), lookMs).unref()
    const under = this.#tidy()
    const number = this.#number + 1
    const name = `${day}.${this.#heartbeat.replica}.${number}.jsonl`
    const path = join(folder, name)
    if (number === 1) this.#value = { lines: 0, last: seedOf(name) }
    // Before the record names the file: whatever is killed then has a last value.
    this.#heartbeat.note(this.#value)
    const descriptor = openSync(path, 'ax', 0o600)
    try {
      addToRecord(folder, [{ open: name, under }])
    } catch (error) {
      closeSync(descriptor)
      unlinkSync(path)
      throw error
    }
    this.#number = number
    return { descriptor, day, bytes: 0 }
  }

  #release(): void {
    if (this.#file) closeSync(this.#file.descriptor)
    this.#file = undefined
  }

  /** Repeated some time after the start: only then is it known which writers are gone. */
  #look(): void {
    this.#tidy()
    try {
      if (this.#notes.length > 0) this.write([])
    } catch {
      // They are written with the next line.
    }
  }

  /** Returns the day from which new files are kept, if not today. */
  #tidy(): string | undefined {
    if (this.#heartbeat === undefined) return undefined
    const { now, ...bounds } = this.#options
    const time = now()
    try {
      const { removals, under } = retain({
        ...bounds,
        replica: this.#heartbeat.replica,
        watch: this.#watch,
        now: time,
        isOpen: this.#file !== undefined,
      })
      this.#notes.push(...removals.map((removal) => removalLine(removal, time)))
      return under
    } catch {
      // Writing fails for the same reason, and that error is reported.
      return undefined
    }
  }
}

const textOf = (lines: readonly JournalLine[]): string =>
  lines.map((line) => JSON.stringify(line)).join('\n')

/** All or nothing: a group that does not fit on the disk is truncated again. */
function writeWhole(file: { descriptor: number; bytes: number }, bytes: Buffer): void {
  let offset = 0
  try {
    while (offset < bytes.length) offset += writeSync(file.descriptor, bytes, offset)
    file.bytes += offset
  } catch (error) {
    ftruncateSync(file.descriptor, file.bytes)
    throw error
  }
}
