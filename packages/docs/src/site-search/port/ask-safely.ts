import { DocsError } from '../../common/docs-error.ts'
import { unlessGivenUp } from '../../common/give-up.ts'
import type { Site } from './site.ts'

/**
 * A site that keeps the promises of its port whatever its service, a page or an operator wrote: each
 * failure is a `DocsError`, and giving up ends the wait at once.
 */
export function askSafely(title: string, open: () => Site): Site {
  const { search, recommend, contents, isContents, pageUrl } = attempt(title, open)
  return {
    ...(search && {
      search: (query, asked) => within(title, asked.signal, () => search(wellFormed(query), asked)),
    }),
    ...(recommend && {
      recommend: (url, signal) => within(title, signal, () => recommend(url, signal)),
    }),
    ...(contents && {
      contents: (url, signal) => within(title, signal, () => contents(url, signal)),
    }),
    ...(isContents && { isContents }),
    ...(pageUrl && { pageUrl }),
  }
}

/** Half of a pair of characters cannot be sent. */
const wellFormed = (query: string): string => query.replace(/\p{Surrogate}/gu, '\ufffd')

function attempt(title: string, open: () => Site): Site {
  try {
    return open()
  } catch (error) {
    throw unusable(title, error)
  }
}

async function within<T>(
  title: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  try {
    return await unlessGivenUp(work(), signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof DocsError ? error : unusable(title, error)
  }
}

/** An address that is none, or an answer that nobody thought of. */
function unusable(title: string, cause: unknown): DocsError {
  return new DocsError(
    'unreachable',
    `${title} could not be asked: ${cause instanceof TypeError ? 'one of its addresses cannot be used' : 'its answer cannot be understood'}.`,
    'Check its settings, or search without it.',
    cause,
  )
}
