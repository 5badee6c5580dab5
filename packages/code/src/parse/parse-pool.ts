import type { Tinypool } from 'tinypool'
import { processorTimeout } from '#base/processor-time'
import { startWorker } from '#base/start-worker'
import type { Outcomes, Parsing } from './parse-worker.ts'
import { type ParseOutcome, timedOut } from './symbol-table.ts'

export type Parser = ReturnType<typeof createParser>

/** Milliseconds for which an idle worker waits for the next text. */
const ttlMs = 30_000
/**
 * In bytes. After a longer text the worker is ended, because a grammar does not release its memory.
 */
export const maxKeptLength = 2_000_000
/** A worker whose limit does not end it is ended after this many times the limit, of all threads. */
const maxThreads = 4

/** The worker runs compiled files only; from the sources, texts are parsed in this thread. */
const isBuilt = import.meta.url.endsWith('.js')

/** In bytes. Longer texts have their own queue, so that short ones do not wait for them. */
const maxShortLength = 200_000

export function createParser(options: { timeoutMs: number }) {
  const [short, long] = [createLane(options), createLane(options)]
  const run = (parsing: Omit<Parsing, 'timeoutMs'>) =>
    (parsing.bytes.length > maxShortLength ? long : short).parse(parsing)
  return {
    /**
     * Parse a text in a worker; short and long texts have separate workers. The buffer of `bytes` is
     * transferred.
     */
    parse: (bytes: Uint8Array<ArrayBuffer>, language: string): Promise<ParseOutcome> =>
      run({ bytes, language }) as Promise<ParseOutcome>,
    /** What a text declares. */
    declarations: (
      bytes: Uint8Array<ArrayBuffer>,
      language: string,
      declarations: Parsing['declarations'],
    ): Promise<Outcomes['declarations']> =>
      run({ bytes, language, declarations }) as Promise<Outcomes['declarations']>,
    async close(): Promise<void> {
      await Promise.all([short.close(), long.close()])
    },
  }
}

/** One worker and its queue. */
function createLane({ timeoutMs }: { timeoutMs: number }) {
  let pool: Tinypool | undefined
  let last: Promise<unknown> = Promise.resolve()

  return {
    parse(given: Omit<Parsing, 'timeoutMs'>) {
      const parsing = { ...given, timeoutMs }
      const result = last.then(() => (isBuilt ? parseInWorker(parsing) : parseHere(parsing)))
      last = result.catch(() => {})
      return result
    },
    close: end,
  }

  async function parseInWorker(parsing: Parsing): Promise<Outcomes[keyof Outcomes]> {
    pool ??= startWorker(new URL('./parse-worker.js', import.meta.url), {
      idleTimeout: ttlMs,
      // Most results are short-lived, and the tree is in WebAssembly memory.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    })
    const { signal, clear } = processorTimeout(timeoutMs * maxThreads)
    try {
      const { length, buffer } = parsing.bytes
      const outcome: Outcomes[keyof Outcomes] = await pool.run(parsing, {
        signal,
        transferList: [buffer],
      })
      if (length > maxKeptLength || 'unparsed' in outcome) await end()
      return outcome
    } catch (error) {
      await end()
      if (signal.aborted) return { unparsed: timedOut }
      throw error
    } finally {
      clear()
    }
  }

  async function end(): Promise<void> {
    const ended = pool
    pool = undefined
    await ended?.destroy()
  }
}

async function parseHere(parsing: Parsing): Promise<Outcomes[keyof Outcomes]> {
  const { default: parse } = await import('./parse-worker.ts')
  return parse(parsing)
}
