import { DocsError } from '../../common/docs-error.ts'
import type { SiteAnswer, SiteQuery } from './site.ts'

type Search<Answer> = (query: string, asked: SiteQuery) => Promise<Answer>

/** A search, and when it fails a way that finds less; then the answer says why. */
export const orElse =
  (search: Search<SiteAnswer>, less: Search<SiteAnswer | undefined>): Search<SiteAnswer> =>
  async (query, asked) => {
    try {
      return await search(query, asked)
    } catch (error) {
      asked.signal?.throwIfAborted()
      if (!(error instanceof DocsError)) throw error
      // What can only be narrowed by the search itself is not answered by something else.
      if (Object.keys(asked.filters ?? {}).length > 0) throw error
      const found = await less(query, asked).catch(() => undefined)
      if (!found) throw error
      return { ...found, problem: error.message }
    }
  }
