import { Worker } from 'node:worker_threads'
import { languageNamed } from '../languages/all-languages.ts'
import { type ParseOutcome, parseText } from './parse-text.ts'

export interface Parsing {
  text: string
  /** Name of the language. */
  language: string
  timeoutMs: number
}

export interface Parser {
  /** The syntax of a text, by a thread of its own, one after the other. */
  parse(text: string, language: string): Promise<ParseOutcome>
  close(): Promise<void>
}

/** The thread is kept for the next text for so long. */
const keptMs = 30_000
/** A grammar does not give back the memory it took for a text as long as this, in characters. */
const longestKept = 2_000_000
/** How much longer than its own limit the thread is waited for. */
const graceMs = 2_000

/** A thread runs what was built: from the sources, texts are parsed here. */
const isBuilt = import.meta.url.endsWith('.js')

export function createParser({ timeoutMs }: { timeoutMs: number }): Parser {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  return {
    parse(text, language) {
      const result = last.then(() =>
        (isBuilt ? parseApart : parseHere)({ text, language, timeoutMs }),
      )
      last = result.catch(() => {})
      return result
    },
    async close() {
      clearTimeout(idle)
      await worker?.terminate()
      worker = undefined
    },
  }

  function parseApart(parsing: Parsing): Promise<ParseOutcome> {
    clearTimeout(idle)
    worker ??= startThread()
    const thread = worker
    thread.ref()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle()
        end(thread)
        resolve({ unparsed: 'parsing it took too long' })
      }, parsing.timeoutMs + graceMs)
      const onMessage = ({ outcome, message }: { outcome?: ParseOutcome; message?: string }) => {
        settle()
        thread.unref()
        if (parsing.text.length > longestKept || !outcome || 'unparsed' in outcome) end(thread)
        else {
          idle = setTimeout(end, keptMs, thread)
          idle.unref()
        }
        if (outcome) resolve(outcome)
        else reject(new Error(message))
      }
      const onError = (error: Error) => {
        settle()
        end(thread)
        reject(error)
      }
      const onExit = () => onError(new Error('The thread that parses ended.'))
      thread.on('message', onMessage)
      thread.on('error', onError)
      thread.on('exit', onExit)
      thread.postMessage(parsing)

      function settle(): void {
        clearTimeout(timer)
        thread.off('message', onMessage)
        thread.off('error', onError)
        thread.off('exit', onExit)
      }
    })
  }

  function end(thread: Worker): void {
    if (worker === thread) worker = undefined
    void thread.terminate()
  }
}

async function parseHere({ text, language, timeoutMs }: Parsing): Promise<ParseOutcome> {
  const rules = languageNamed(language)
  if (!rules) throw new Error(`There is no language ${language}.`)
  return parseText(text, rules, timeoutMs)
}

function startThread(): Worker {
  const thread = new Worker(new URL('./parse-worker.js', import.meta.url), {
    // What it makes is soon garbage, and the tree takes the memory.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  // One that fails while nobody waits for it must not take the server with it.
  thread.on('error', () => {})
  return thread
}
