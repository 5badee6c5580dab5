import { createSectionRanker } from '@pith-mcp/scorer'
import { LRUCache } from 'lru-cache'
import { isHtmlText } from '../../common/page-format.ts'
import type { HttpClient } from '../../fetch/http-client.ts'
import { llmsLinks } from '../../fetch/llms-links.ts'
import { readText } from '../../fetch/read-text.ts'
import type { SiteAnswer, SiteQuery } from './site.ts'

interface LlmsSearchOptions {
  client: HttpClient
  /** Of the first llms.txt. */
  url: string
  /** Where a page that it names is read. */
  pageUrl: (url: string) => string
}

interface Entry {
  url: string
  title: string
  about: string
}

/** Lists that one names are read too, those whose titles suit the query first. */
const mostFiles = 40
const keptMs = 60 * 60_000
/** Of one list, and of all that are kept. */
const mostBytes = 2 * 2 ** 20
const mostOfOne = 5_000
const mostEntries = 40_000

/**
 * Pages by what llms.txt says of them: their titles and a sentence each. It knows little of a page
 * and finds what is asked for by its name; for sites whose search does not answer.
 */
export function searchLlms({ client, url, pageUrl }: LlmsSearchOptions) {
  const files = new LRUCache<string, Entry[]>({
    maxSize: mostEntries,
    sizeCalculation: (entries) => entries.length + 1,
    ttl: keptMs,
    fetchMethod: async (file) => {
      const found = await readText(client, file, { accept: 'text/plain, text/markdown', mostBytes })
      if (!found || isHtmlText(found.text)) return undefined
      return llmsLinks(found.text, found.url).slice(0, mostOfOne)
    },
  })

  return async (query: string, { limit, language }: SiteQuery): Promise<SiteAnswer | undefined> => {
    const first = await files.fetch(url)
    if (!first) return undefined
    const lists = first.filter(isList)
    const suited = new Set([...rank(lists, query), ...lists])
    const others = await Promise.all(
      [...suited].slice(0, mostFiles).map((list) => files.fetch(list.url)),
    )
    const pages = [...first, ...others.flatMap((entries) => entries ?? [])]
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

const isList = ({ url }: Entry): boolean => /\/llms[\w-]*\.txt$/.test(new URL(url).pathname)

const isIn =
  (language: string) =>
  ({ url }: Entry): boolean =>
    new URL(url).pathname.startsWith(`/${language}/`)

function rank(entries: readonly Entry[], query: string): Entry[] {
  const ranker = createSectionRanker(entries, {
    heading: ({ title }) => title,
    text: ({ about }) => about,
    id: ({ url }) => url.split('/').at(-1) ?? '',
  })
  return ranker.rank(query).map(({ item }) => item)
}
