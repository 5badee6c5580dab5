import { ProblemError } from '../api/answer-of.ts'

let isIncomplete = false

/** Loads the code of a page. @throws {ProblemError} */
export async function loadPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    isIncomplete = true
    throw new ProblemError(
      'The code of this page could not be loaded.',
      0,
      'Check that the aggregator is running. The console reloads once it responds.',
    )
  }
}

/**
 * Reloads the console if the code of a page failed to load; returns whether it does. Requesting the
 * file again would not help: browsers cache the failed import, and another version of the aggregator
 * has other file names. Call it when the aggregator responds.
 */
export function reloadIfIncomplete(): boolean {
  if (isIncomplete) location.reload()
  return isIncomplete
}

/** Like `reloadIfIncomplete`, but checks first whether the aggregator responds. */
export async function reloadOnceItAnswers(): Promise<void> {
  if (!isIncomplete) return
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) reloadIfIncomplete()
}
