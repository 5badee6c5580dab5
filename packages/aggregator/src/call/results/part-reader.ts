import PQueue from 'p-queue'
import type { Tinypool } from 'tinypool'
import { processorTimeout } from '#base/processor-time'
import { startWorker } from '#base/start-worker'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import { isPlainText } from './document.ts'
import type { Outcome, Reading } from './read-part.ts'

/** Characters. Longer results would hold the event loop for more than some milliseconds. */
const maxInlineLength = 2 ** 20
/** Of a first page of text, of which nothing is parsed. */
const maxInlineText = 2 ** 23
/** Of processor time; the thread of the server may have used a part of it. */
const timeoutMs = 30_000
/** Milliseconds for which an idle worker waits for the next part. */
const cacheMs = 10_000

/** The worker runs compiled files only; from the sources, results are read in this thread. */
const isBuilt = import.meta.url.endsWith('.js')

/** Reads parts of results; those of long results in a worker thread, one after the other. */
export function createPartReader() {
  let pool: Tinypool | undefined
  const oneByOne = new PQueue({ concurrency: 1 })

  async function readInWorker(reading: Reading): Promise<Outcome> {
    pool ??= startWorker(new URL('./read-part.js', import.meta.url), { idleTimeout: cacheMs })
    const { signal, clear } = processorTimeout(timeoutMs)
    try {
      return await pool.run(reading, { signal })
    } catch (error) {
      await end()
      throw signal.aborted ? tooLong(reading.id) : error
    } finally {
      clear()
    }
  }

  async function end(): Promise<void> {
    const ended = pool
    pool = undefined
    await ended?.destroy()
  }

  return {
    /**
     * @throws {AggregatorError} `bad_argument` for a page, query or path that does not apply;
     *   `timeout` for a result that takes too long
     */
    async read(reading: Reading, parsed?: JsonObject) {
      const isText = parsed !== undefined && !reading.call?.select && isPlainText(parsed)
      const isShort = !isBuilt || reading.text.length <= (isText ? maxInlineText : maxInlineLength)
      const outcome = isShort
        ? // Loaded only for results that are paged.
          await (await import('./read-part.ts')).default(reading, parsed)
        : await oneByOne.add(() => readInWorker(reading))
      if ('result' in outcome) return outcome.result
      throw new AggregatorError('bad_argument', outcome.message, outcome.remedy)
    },
    close: end,
  }
}

const tooLong = (id: string): AggregatorError =>
  new AggregatorError(
    'timeout',
    `Result ${id} took more than ${timeoutMs / 1000} s of processor time to read.`,
    'Read another part, or ask the tool for less.',
  )
