import { isHtmlText } from '../../formats/html.ts'
import { DocsError } from '../../protocol/docs-error.ts'
import { metaOf } from '../port/extract-config.ts'
import { searchLlms } from '../port/llms-search.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  type Json,
  listIn,
  plainText,
  requestJson,
  textsIn,
  withFragment,
} from '../port/response.ts'
import {
  defineSite,
  type Front,
  type SiteAdapter,
  type SiteAnswer,
  type SiteHit,
  type SiteQuery,
} from '../port/site.ts'
import { withFallback } from '../port/with-fallback.ts'

/** The search of Mintlify; if it fails, the titles in llms.txt. */
export const mintlify: SiteAdapter = defineSite({
  name: 'mintlify',
  title: 'Mintlify search',
  defaults: {
    searchUrl: 'https://leaves.mintlify.com/api/search/{subdomain}',
    subdomain: '',
    /** Root of the documentation; by default the folder of the source. */
    base: '',
    llmsPath: 'llms.txt',
  },
  abilities: ['titles of llms.txt when the search fails'],
  filters: ['version'],
  async recognise({ html, url, read }) {
    if (!/^mintlify/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const subdomain =
      /\/\/mintcdn\.com\/([\w-]{1,100})\//.exec(html)?.[1] ??
      /\\?"subdomain\\?":\s{0,3}\\?"([\w-]{1,100})/.exec(html)?.[1]
    const base = await baseOf(url, read)
    return { ...(subdomain && { subdomain }), ...(base && { base }) }
  },
  open({ searchUrl, subdomain, base: stated, llmsPath }, { client, source }) {
    const base = stated === '' ? new URL('.', source).href : stated
    const names = new URL(llmsPath, base).href
    const llms = searchLlms(client, names, (url) => url.replace(/\.mdx?$/, ''))
    return { search: withFallback(searchNow, llms) }

    async function searchNow(
      query: string,
      { language, filters = {}, limit, signal }: SiteQuery,
    ): Promise<SiteAnswer> {
      if (subdomain === '')
        throw new DocsError(
          'unreachable',
          `The page ${source} does not contain its Mintlify subdomain.`,
          'Configure `subdomain` in the settings of the site.',
        )
      const url = searchUrl.replace('{subdomain}', encodeURIComponent(subdomain))
      const version = filters['version']?.[0]
      const narrowing = { ...(language && { language }), ...(version && { version }) }
      const response = await requestJson(client, url, {
        body: { query, filters: narrowing },
        signal,
      })
      const results = listIn(response['results'], 'results', url)
      const scoreOf = ({ score }: Json) => (typeof score === 'number' ? score : 0)
      const sorted = results.toSorted((a, b) => scoreOf(b) - scoreOf(a))
      return { hits: hitsIn(sorted, 'results', limit, url, (result) => hitOf(result, base)) }
    }
  },
})

const maxFolders = 5

/** The nearest folder with an llms.txt is the root of the documentation. */
async function baseOf(url: string, read: Front['read']): Promise<string | undefined> {
  let folder = new URL('.', url)
  for (let tries = 0; tries < maxFolders; tries++) {
    const text = await read(new URL('llms.txt', folder).href)
    if (text !== undefined && !isHtmlText(text)) return folder.href
    if (folder.pathname === '/') return undefined
    folder = new URL('..', folder)
  }
  return undefined
}

function hitOf({ page, header, content, metadata }: Json, base: string): SiteHit[] {
  if (typeof page !== 'string') return []
  const { title, hash, breadcrumbs } = isObject(metadata) ? metadata : {}
  const heading = plainText(header, 300)
  const named = plainText(title, 300) || textsIn(breadcrumbs).at(-1) || heading || page
  const text = plainText(content)
  const hits = hitAt(page.replace(/^\/+/, ''), base, {
    title: named,
    path: heading === '' || heading === named ? [] : [heading],
    // The text repeats the heading at its start.
    excerpt: heading !== '' && text.startsWith(heading) ? text.slice(heading.length).trim() : text,
  })
  return hits.map((hit) => ({ ...hit, url: withFragment(hit.url, hash) }))
}
