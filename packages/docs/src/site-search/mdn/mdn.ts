import { localeFor, localeOf } from '../port/locales.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  type Json,
  listIn,
  plainText,
  requestJson,
  textsIn,
} from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteHit } from '../port/site.ts'

const locales = 'en-us de es fr ja ko pt-br ru zh-cn zh-tw'.split(' ')
const perPage = 10
const maxPages = 3
/** In bytes; MDN rejects longer queries. */
const maxQueryLength = 200

export const mdn: SiteAdapter = defineSite({
  name: 'mdn',
  title: 'MDN search',
  defaults: {
    home: 'https://developer.mozilla.org/',
    searchPath: '/api/v1/search',
  },
  languages: locales,
  isAt: (url, { home }) => url.host === new URL(home).host,
  open({ home, searchPath }, { client, source }) {
    return {
      async search(query, { limit, language, signal }) {
        const locale = localeFor(language ?? '', locales) ?? localeOf(source, locales) ?? 'en-us'
        const first = await ask(1)
        const { metadata } = first
        const total =
          isObject(metadata) && isObject(metadata['total']) ? metadata['total']['value'] : 0
        const known = typeof total === 'number' ? total : 0
        const pages = Math.min(Math.ceil(Math.min(limit, known) / perPage), maxPages)
        const others = await Promise.all(
          [...Array(Math.max(0, pages - 1)).keys()].map((at) =>
            // A failed further page does not discard the results of the others.
            ask(at + 2).catch(() => ({ documents: [] })),
          ),
        )
        const found = [first, ...others].flatMap((response) =>
          listIn(response['documents'], 'documents', home),
        )
        return {
          hits: hitsIn(found, 'documents', limit, home, (one) => hitOf(one, home)),
          total: known,
        }

        async function ask(page: number): Promise<Json> {
          const url = new URL(searchPath, home)
          url.searchParams.set('q', cutBytes(query))
          url.searchParams.set('locale', locale)
          url.searchParams.set('page', String(page))
          return requestJson(client, url, { signal })
        }
      },
    }
  },
})

function hitOf({ mdn_url: path, title, summary, highlight }: Json, home: string): SiteHit[] {
  const marked = isObject(highlight) ? textsIn(highlight['body']) : []
  const excerpt = plainText(summary) || plainText(marked.join(' … '))
  return hitAt(path, home, { title, excerpt })
}

function cutBytes(query: string): string {
  let cut = query.slice(0, maxQueryLength)
  while (Buffer.byteLength(cut) > maxQueryLength) cut = cut.slice(0, -1)
  return cut
}
