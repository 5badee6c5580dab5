import type { Tinypool } from 'tinypool'
import { startWorker } from '#base/start-worker'
import { CodeError } from '../code-error.ts'
import type { CandidateSource, Scope } from './candidates.ts'
import type { FoundNames } from './find-files.ts'
import type { Batch } from './index-queue.ts'
import type { Mentions } from './indexed-search.ts'
import type { Answer, Answers, Ask, Question } from './search-worker.ts'

/** Milliseconds for which an idle thread remembers which files it has searched. */
const ttlMs = 600_000
/** Searches that take turns in the thread. */
const maxSearches = 8

/** The thread runs compiled files only; from the sources, questions are answered in this one. */
const isBuilt = import.meta.url.endsWith('.js')

export interface SearchThread extends CandidateSource {
  /** Files with an identifier. */
  mentions(name: string, scope: Scope, signal?: AbortSignal): Promise<Mentions>
  /** Those of some files that have a text. */
  containing(name: string, files: readonly string[]): Promise<readonly string[]>
  /**
   * The next files to index, or the first of a pass over a listing that is new, or may be reused;
   * undefined if none is left.
   */
  nextBatch(maxFiles: number | undefined, first?: 'list' | 'reuse'): Promise<Batch | undefined>
  /** @throws {CodeError} `bad_argument` for the pattern. */
  files(pattern: string, maxFiles: number | undefined): Promise<FoundNames>
  close(): Promise<void>
}

/** Searches files by their bytes and names in a thread of its own. */
export function createSearchThread(options: {
  folders: readonly string[]
  maxFileBytes: number
  database?: string | undefined
}): SearchThread {
  let pool: Tinypool | undefined
  /** Of each question that is not answered, what stops it. */
  const open = new Map<Promise<Answer>, Int32Array>()

  return {
    candidates: (readings, scope, signal) => run({ type: 'candidates', readings, scope }, signal),
    describe: (query, scope, signal) => run({ type: 'describe', query, scope }, signal),
    texts: (text, scope, signal) => run({ type: 'texts', text, scope }, signal),
    mentions: (name, scope, signal) => run({ type: 'mentions', name, scope }, signal),
    containing: (name, files) => run({ type: 'containing', name, files }),
    symbolsOf: (real) => run({ type: 'symbols', real }),
    nextBatch: (maxFiles, first) => run({ type: 'batch', maxFiles, first }),
    files: (pattern, maxFiles) => run({ type: 'files', pattern, maxFiles }),
    async close() {
      for (const stop of open.values()) Atomics.store(stop, 0, 1)
      // Ended within a call of SQLite, the thread would take the process with it.
      await Promise.allSettled(open.keys())
      await pool?.destroy()
      pool = undefined
    },
  }
  async function run<A extends Ask>(ask: A, signal?: AbortSignal): Promise<Answers[A['type']]> {
    signal?.throwIfAborted()
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const end = (): void => void Atomics.store(stop, 0, 1)
    signal?.addEventListener('abort', end)
    try {
      const question: Question = { ...options, stop, ask }
      const { default: here } = isBuilt
        ? { default: undefined }
        : await import('./search-worker.ts')
      const answering = here ? here(question) : inThread(question)
      open.set(answering, stop)
      const result = await answering.finally(() => open.delete(answering))
      signal?.throwIfAborted()
      if ('answer' in result) return result.answer as Answers[A['type']]
      const { code, message, remedy } = result.refused
      throw new CodeError(code, message, remedy)
    } finally {
      signal?.removeEventListener('abort', end)
    }
  }

  function inThread(question: Question): Promise<Answer> {
    pool ??= startWorker(new URL('./search-worker.js', import.meta.url), {
      concurrentTasksPerWorker: maxSearches,
      idleTimeout: ttlMs,
    })
    return pool.run(question)
  }
}
