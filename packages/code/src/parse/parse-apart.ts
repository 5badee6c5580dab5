import { Tinypool } from 'tinypool'
import type { ParseOutcome } from './parse-text.ts'
import type { Parsing } from './parse-worker.ts'

export interface Parser {
  /**
   * The syntax of a text, by a thread: one for short texts, one for long ones. Its bytes are handed
   * over.
   */
  parse(bytes: Uint8Array<ArrayBuffer>, language: string): Promise<ParseOutcome>
  close(): Promise<void>
}

/** The thread is kept for the next text for so long. */
const keptMs = 30_000
/** A grammar does not give back the memory it took for a text as long as this, in bytes. */
const longestKept = 2_000_000
/** How much longer than its own limit the thread is waited for. */
const graceMs = 2_000

/** A thread runs what was built: from the sources, texts are parsed here. */
const isBuilt = import.meta.url.endsWith('.js')

/** Longer texts, in bytes, wait for one another, and the shorter ones do not wait for them. */
const longestShort = 200_000

export function createParser(options: { timeoutMs: number }): Parser {
  const [short, long] = [createLane(options), createLane(options)]
  return {
    parse: (bytes, language) => (bytes.length > longestShort ? long : short).parse(bytes, language),
    async close() {
      await Promise.all([short.close(), long.close()])
    },
  }
}

/** One thread, and those who wait for it. */
function createLane({ timeoutMs }: { timeoutMs: number }): Parser {
  let pool: Tinypool | undefined
  let last: Promise<unknown> = Promise.resolve()

  return {
    parse(bytes, language) {
      const parsing = { bytes, language, timeoutMs }
      const result = last.then(() => (isBuilt ? parseApart(parsing) : parseHere(parsing)))
      last = result.catch(() => {})
      return result
    },
    close: end,
  }

  async function parseApart(parsing: Parsing): Promise<ParseOutcome> {
    pool ??= startPool()
    const signal = AbortSignal.timeout(timeoutMs + graceMs)
    try {
      const { length } = parsing.bytes
      const transferList = [parsing.bytes.buffer]
      const outcome: ParseOutcome = await pool.run(parsing, { signal, transferList })
      if (length > longestKept || 'unparsed' in outcome) await end()
      return outcome
    } catch (error) {
      await end()
      if (signal.aborted) return { unparsed: 'parsing it took too long' }
      throw error
    }
  }

  async function end(): Promise<void> {
    const ended = pool
    pool = undefined
    await ended?.destroy()
  }
}

async function parseHere(parsing: Parsing): Promise<ParseOutcome> {
  const { default: parse } = await import('./parse-worker.ts')
  return parse(parsing)
}

function startPool(): Tinypool {
  const pool = new Tinypool({
    filename: new URL('./parse-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: keptMs,
    // What it makes is soon garbage, and the tree takes the memory.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  // A thread that fails while nobody waits for it must not take the server with it.
  pool.on('error', () => {})
  return pool
}
