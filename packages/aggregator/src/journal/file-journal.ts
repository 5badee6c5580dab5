import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../process/is-running.ts'
import type { Journal, JournalLine } from './journal.ts'

export interface FileJournalOptions {
  folder: string
  /** How long lines are kept. Default 90. */
  days?: number | undefined
  /** Of all files; the oldest make room. Default 200. */
  megabytes?: number | undefined
  onLog: (text: string) => void
  now?: () => Date
}

const mostBytesOfFile = 8 * 1024 * 1024
const dayMs = 86_400_000

/**
 * Lines of JSON in files of one process each, so that no line of one ends in the midst of another's:
 * `2026-11-21.<process>.<number>.jsonl`, a new one for each day and each 8 MB.
 */
export function createFileJournal(options: FileJournalOptions): Journal {
  const { folder, onLog, now = () => new Date() } = options
  let file: { descriptor: number; day: string; bytes: number } | undefined
  let number = 0
  let isBroken = false

  function open(day: string): NonNullable<typeof file> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    tidy(options, now())
    for (;;) {
      const name = `${day}.${process.pid}.${++number}.jsonl`
      try {
        // A new file of its own, even if an earlier process had this number.
        return { descriptor: openSync(join(folder, name), 'ax', 0o600), day, bytes: 0 }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  }

  function write(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    // Of the writing: calls end in another order than they begin, and clocks may go back.
    const today = now().toISOString().slice(0, 10)
    const day = file && file.day > today ? file.day : today
    if (file && (file.day !== day || file.bytes + bytes.length > mostBytesOfFile)) close()
    file ??= open(day)
    writeWhole(file, bytes)
    isBroken = false
  }

  function close(): void {
    if (file) closeSync(file.descriptor)
    file = undefined
  }

  return {
    write(line) {
      try {
        write(line)
      } catch (error) {
        if (!isBroken)
          onLog(`the journal in ${folder} cannot be written: ${(error as Error).message}`)
        isBroken = true
      }
    },
    close,
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

/** The files of a journal, the oldest first. */
export function journalFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{4}-\d\d-\d\d\.\d+\.\d+\.jsonl$/.test(name))
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** On which its first line was written. */
export const dayOf = (path: string): string =>
  /(\d{4}-\d\d-\d\d)\.\d+\.\d+\.jsonl$/.exec(path)?.[1] ?? ''

/** Remove what is old or too much, and the beginnings of lines that a killed process left. */
function tidy(
  { folder, days = 90, megabytes = 200 }: Pick<FileJournalOptions, 'folder' | 'days' | 'megabytes'>,
  now: Date,
): void {
  const oldest = new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
  let bytes = 0
  for (const path of journalFiles(folder).reverse()) {
    const [, day = '', pid = ''] = /(\d{4}-\d\d-\d\d)\.(\d+)\.\d+\.jsonl$/.exec(path) ?? []
    try {
      bytes += statSync(path).size
      // Another process writes to it; ours has no file open now.
      if (Number(pid) !== process.pid && isRunning(Number(pid))) continue
      if (day < oldest || bytes > megabytes * 1024 * 1024) unlinkSync(path)
      else endWithLine(path)
    } catch {
      // Another process tidies too.
    }
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
