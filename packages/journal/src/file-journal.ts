import { AggregatorError } from '#servers/protocol/aggregator-error'
import { withResolvers } from '#servers/protocol/with-resolvers'
import { type Journal, type JournalLine, type JournalLoss, requestKinds } from './journal.ts'
import { JournalWriter, type JournalWriterOptions } from './journal-writer.ts'

/** `retentionDays` is 90 and `maxMegabytes` 200 by default. */
export interface FileJournalOptions
  extends Pick<JournalWriterOptions, 'folder' | 'onLog'>,
    Partial<Pick<JournalWriterOptions, 'now' | 'monotonicMs'>> {
  retentionDays?: number | undefined
  maxMegabytes?: number | undefined
  /** Calls whose line cannot be written are refused; changes too, once a line is missing. */
  failClosed?: boolean | undefined
}

/** Characters of the reason why a line could not be written. */
const maxMessageLength = 200

/** Lines of one tick, and why they were not written. */
interface Group {
  lines: JournalLine[]
  written: Promise<{ error?: unknown }>
  settle(result: { error?: unknown }): void
}

/**
 * A journal in files. Lines of one tick are written together. Lines that could not be written are
 * counted and recorded as one line of kind `event` before the next one.
 */
export function createFileJournal(
  options: FileJournalOptions,
): Omit<Journal, 'close'> & { close(): void } {
  const { folder, retentionDays = 90, maxMegabytes = 200, onLog, now = () => new Date() } = options
  const { monotonicMs = () => performance.now(), failClosed = false } = options
  const bounds = { retentionDays, maxMegabytes }
  const writer = new JournalWriter({ folder, ...bounds, onLog, now, monotonicMs })
  let loss: JournalLoss | undefined
  /** Lines of `loss` that are not recorded in a line yet. */
  let unwritten = 0
  let group: Group | undefined
  /** Undefined before the first line was tried. */
  let isWritable: boolean | undefined

  function lose(error: unknown, lines: number): void {
    const message = (error as Error).message.slice(0, maxMessageLength)
    if (unwritten === 0) onLog(`The journal in ${folder} cannot be written: ${message}.`)
    unwritten += lines
    loss = { lines: (loss?.lines ?? 0) + lines, message, time: now().toISOString() }
  }

  function describeLoss(): void {
    if (unwritten === 0 || loss === undefined) return
    const { time, message } = loss
    writer.write([{ time, kind: 'event', outcome: 'journal_gap', count: unwritten, message }])
    onLog(
      `The journal in ${folder} can be written again; ${unwritten} ${unwritten === 1 ? 'line is' : 'lines are'} missing.`,
    )
    unwritten = 0
  }

  function commit(): void {
    if (group === undefined) return
    const { lines, settle } = group
    group = undefined
    try {
      describeLoss()
      writer.write(lines)
      isWritable = true
      settle({})
    } catch (error) {
      lose(error, lines.length)
      settle({ error })
    }
  }

  return {
    async write(line: JournalLine) {
      group ??= beginGroup(commit)
      group.lines.push(line)
      const { error } = await group.written
      const isBegun = line.kind === 'begun'
      if (error !== undefined && (isBegun || (failClosed && requestKinds.includes(line.kind))))
        throw refusal(folder, error, isBegun ? 'Nothing was called.' : resultWithheld)
    },
    check() {
      if (!failClosed) return
      try {
        if (!isWritable) writer.prepare()
        isWritable = true
        describeLoss()
      } catch (error) {
        if (isWritable === undefined)
          onLog(`The journal in ${folder} cannot be written: ${(error as Error).message}.`)
        isWritable ??= false
        throw refusal(folder, error, 'Nothing was done.')
      }
    },
    loss: () => loss,
    close() {
      commit()
      try {
        describeLoss()
      } catch {
        // The missing lines have been logged.
      }
      writer.close()
    },
  }
}

/** Lines of this tick; `commit` writes them when it ends. */
function beginGroup(commit: () => void): Group {
  process.nextTick(commit)
  const { promise, resolve } = withResolvers<{ error?: unknown }>()
  return { lines: [], written: promise, settle: resolve }
}

const resultWithheld = 'It may have been done, but its result is withheld.'

const refusal = (folder: string, error: unknown, done: string): AggregatorError =>
  new AggregatorError(
    'journal_unwritable',
    `The journal in ${folder} cannot be written: ${(error as Error).message.slice(0, maxMessageLength)}. ${done}`,
    'The operator must make room or repair the folder: a call that may change something needs its line, and with failClosed each call does.',
    error,
  )
