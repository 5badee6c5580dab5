import { DocsError } from '#formats/docs-error'
import type { SiteAnswer, SiteQuery } from './site.ts'

export type Search<Answer> = (query: string, siteQuery: SiteQuery) => Promise<Answer>

/**
 * A search with a fallback that finds less. The answer of the fallback states why the search
 * failed.
 */
export const withFallback =
  (search: Search<SiteAnswer>, less: Search<SiteAnswer | undefined>): Search<SiteAnswer> =>
  async (query, siteQuery) => {
    try {
      return await search(query, siteQuery)
    } catch (error) {
      siteQuery.signal?.throwIfAborted()
      if (!(error instanceof DocsError)) throw error
      // The fallback cannot filter, so a filtered search is not replaced by it.
      if (Object.keys(siteQuery.filters ?? {}).length > 0) throw error
      const answer = await less(query, siteQuery).catch(() => undefined)
      if (!answer) throw error
      return { ...answer, problem: error.message }
    }
  }
