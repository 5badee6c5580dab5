import { rootsOf } from '../access/roots.ts'
import { CodeError, type CodeErrorCode } from '../code-error.ts'
import type { IndexedSymbols } from '../parse/symbol-table.ts'
import type { Candidates, Described, FilesWithText, Scope } from './candidates.ts'
import type { FoundNames } from './find-files.ts'
import type { Batch } from './index-queue.ts'
import { IndexedSearch, type Mentions } from './indexed-search.ts'
import type { Words } from './query-words.ts'

/** What the thread is asked, with all it needs. */
export interface Question {
  folders: readonly string[]
  /** File of the index, if there is to be one. */
  database?: string | undefined
  maxFileBytes: number
  /** Not 0 once the answer is no longer wanted. */
  stop: Int32Array
  ask: Ask
}

export type Ask =
  | { type: 'candidates'; readings: readonly Words[]; scope: Scope }
  | { type: 'describe'; query: string; scope: Scope }
  | { type: 'texts'; text: string; scope: Scope }
  | { type: 'mentions'; name: string; scope: Scope }
  | { type: 'containing'; name: string; files: readonly string[] }
  | { type: 'symbols'; real: string }
  | { type: 'batch'; maxFiles: number | undefined; first: 'list' | 'reuse' | undefined }
  | { type: 'files'; pattern: string; maxFiles: number | undefined }

export interface Answers {
  candidates: Candidates
  describe: Described | undefined
  texts: FilesWithText
  mentions: Mentions
  containing: readonly string[]
  symbols: IndexedSymbols | undefined
  /** Undefined if nothing is left to index. */
  batch: Batch | undefined
  files: FoundNames
}

export type Answer =
  | { answer: Answers[Ask['type']] }
  | { refused: { code: CodeErrorCode; message: string; remedy: string } }

const searches = new Map<string, Promise<IndexedSearch>>()

/** Entry point of the worker of `createSearchThread`. Errors of the caller are results. */
export default async function answer(question: Question): Promise<Answer> {
  const { folders, database, maxFileBytes } = question
  const key = JSON.stringify([folders, database, maxFileBytes])
  const opening = searches.get(key) ?? IndexedSearch.open(rootsOf(folders), maxFileBytes, database)
  searches.set(key, opening)
  try {
    return { answer: await answerOf(await opening, question) }
  } catch (error) {
    if (error instanceof CodeError === false) {
      if (database === undefined) throw error
      // Without the index, files are searched as bytes.
      searches.set(key, IndexedSearch.open(rootsOf(folders), maxFileBytes))
      return answer({ ...question, database: undefined })
    }
    const { code, message, remedy } = error
    return { refused: { code, message, remedy } }
  }
}

function answerOf(search: IndexedSearch, { ask, stop }: Question) {
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0
  switch (ask.type) {
    case 'candidates':
      return search.candidates(ask.readings, ask.scope, isStopped)
    case 'describe':
      return search.describe(ask.query, ask.scope, isStopped)
    case 'texts':
      return search.texts(ask.text, ask.scope, isStopped)
    case 'mentions':
      return search.mentions(ask.name, ask.scope, isStopped)
    case 'containing':
      return search.containing(ask.name, ask.files)
    case 'symbols':
      return search.symbolsOf(ask.real)
    case 'batch':
      return search.nextBatch(ask.maxFiles, ask.first)
    case 'files':
      return search.listings.filesNamed(ask.pattern, ask.maxFiles)
  }
}
