import { createSectionRanker } from '@pith-mcp/scorer'
import { LRUCache } from 'lru-cache'
import type { HttpClient } from '#fetch/http-client'
import { readText } from '#fetch/read-text'
import { type LlmsLink, llmsLinks } from '#formats/readers/markdown'
import type { SiteAnswer, SiteQuery } from './site.ts'

/** At most this many linked lists are read, those with the best matching titles first. */
const maxFiles = 40
const cacheMs = 60 * 60_000
/** Bounds of one list and of all cached lists. */
const maxBytes = 2 * 2 ** 20
const maxPerFile = 5_000
const maxEntries = 40_000

/**
 * Searches the titles and descriptions in the llms.txt at a URL, for sites whose search does not answer. Finds
 * pages by their names only. `pageUrl` maps a listed URL to that of the page.
 */
export function searchLlms(client: HttpClient, url: string, pageUrl: (url: string) => string) {
  const files = new LRUCache<string, LlmsLink[]>({
    maxSize: maxEntries,
    sizeCalculation: (entries) => entries.length + 1,
    ttl: cacheMs,
    fetchMethod: async (file) => {
      const list = await readText(client, file, { accept: 'text/plain, text/markdown', maxBytes })
      if (!list) return undefined
      return llmsLinks(list.text, list.url).slice(0, maxPerFile)
    },
  })

  return async (query: string, { limit, language }: SiteQuery): Promise<SiteAnswer | undefined> => {
    const first = await files.fetch(url)
    if (!first) return undefined
    const lists = first.filter(isList)
    const suited = new Set([...rank(lists, query), ...lists])
    const furtherLists = await Promise.all(
      [...suited].slice(0, maxFiles).map((list) => files.fetch(list.url)),
    )
    const pages = [...first, ...furtherLists.flatMap((entries) => entries ?? [])]
      .filter((entry) => !isList(entry))
      .map((entry) => ({ ...entry, url: pageUrl(entry.url) }))
    const spoken = language === undefined ? pages : pages.filter(isIn(language))
    const ranked = rank(spoken.length > 0 ? spoken : pages, query)
    return {
      ...(language !== undefined && spoken.length === 0 && { isOtherLanguage: true }),
      hits: ranked
        .slice(0, limit)
        .map(({ url, title, about }) => ({ url, title, path: [], excerpt: about })),
      total: ranked.length,
    }
  }
}

const isList = ({ url }: LlmsLink): boolean => /\/llms[\w-]*\.txt$/.test(new URL(url).pathname)

const isIn =
  (language: string) =>
  ({ url }: LlmsLink): boolean =>
    new URL(url).pathname.startsWith(`/${language}/`)

function rank(entries: readonly LlmsLink[], query: string): LlmsLink[] {
  const ranker = createSectionRanker(entries, {
    heading: ({ title }) => title,
    text: ({ about }) => about,
    id: ({ url }) => url.split('/').at(-1) ?? '',
  })
  return ranker.rank(query).map(({ item }) => item)
}
