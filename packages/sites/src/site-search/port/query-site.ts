import { raceAbort } from '#base/race-abort'
import { DocsError } from '#formats/docs-error'
import type { Site } from './site.ts'

/**
 * Wraps a site so that it keeps the contract of its port whatever a service, page or operator
 * wrote: every failure is a `DocsError`, and an abort ends the wait immediately.
 */
export function querySite(title: string, open: () => Site): Site {
  const { search, recommend, contents, isContents, pageUrl } = attempt(title, open)
  return {
    ...(search && {
      search: (query, siteQuery) =>
        within(title, siteQuery.signal, () => search(wellFormed(query), siteQuery)),
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

/** A lone surrogate cannot be encoded in a URL. */
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
    return await raceAbort(work(), signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof DocsError ? error : unusable(title, error)
  }
}

/** For an invalid address or a response of an unknown form. */
function unusable(title: string, cause: unknown): DocsError {
  return new DocsError(
    'unreachable',
    `${title} could not be queried: ${cause instanceof TypeError ? 'one of its URLs is invalid' : 'its response has an unknown form'}.`,
    'Check the settings of the site, or search without it.',
    { cause },
  )
}
