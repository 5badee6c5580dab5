import { ProblemError } from '../api/create-api.ts'

let isIncomplete = false

/** Loads the code of a page. Throws a `ProblemError` when it does not come. */
export async function loadPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    isIncomplete = true
    throw new ProblemError(
      'The code of this page could not be loaded.',
      0,
      'Is the aggregator still running? Once it answers, the console is loaded anew.',
    )
  }
}

/**
 * Loads the console anew if the code of a page did not come; whether it does. Browsers remember
 * that it did not, and another version of the aggregator has files of other names: asking for
 * the one file again would not help. To be called when the aggregator answers.
 */
export function reloadIfIncomplete(): boolean {
  if (isIncomplete) location.reload()
  return isIncomplete
}

/** The same, for when nobody knows whether it answers. */
export async function reloadOnceItAnswers(): Promise<void> {
  if (!isIncomplete) return
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) reloadIfIncomplete()
}
