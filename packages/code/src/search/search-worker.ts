import { type Roots, rootsOf } from '../access/roots.ts'
import { CodeError, type CodeErrorCode } from '../code-error.ts'
import { ByteSearch } from './byte-search.ts'
import type { Candidates, Scope } from './candidates.ts'
import { type FoundNames, findFilesIn } from './find-files.ts'
import type { Words } from './query-words.ts'

/** What the thread is asked, with all it needs. */
export interface Question {
  folders: readonly string[]
  maxFileBytes: number
  /** Not 0 once the answer is no longer wanted. */
  stop: Int32Array
  ask:
    | { readings: readonly Words[]; scope: Scope }
    | { pattern: string; maxFiles?: number | undefined }
}

export type Answer =
  | { answer: Candidates | FoundNames }
  | { refused: { code: CodeErrorCode; message: string; remedy: string } }

const searches = new Map<string, { roots: Roots; search: ByteSearch }>()

/** Entry point of the worker of `createSearchThread`. Errors of the caller are results. */
export default async function answer(question: Question): Promise<Answer> {
  const { folders, maxFileBytes, stop, ask } = question
  const key = JSON.stringify([folders, maxFileBytes])
  const roots = rootsOf(folders)
  const searcher = searches.get(key) ?? { roots, search: new ByteSearch(roots, maxFileBytes) }
  searches.set(key, searcher)
  try {
    if ('pattern' in ask) return { answer: findFilesIn(searcher.roots, ask.pattern, ask.maxFiles) }
    const isStopped = (): boolean => Atomics.load(stop, 0) !== 0
    return { answer: await searcher.search.candidates(ask.readings, ask.scope, isStopped) }
  } catch (error) {
    if (!(error instanceof CodeError)) throw error
    const { code, message, remedy } = error
    return { refused: { code, message, remedy } }
  }
}
