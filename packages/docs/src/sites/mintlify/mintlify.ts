import { DocsError } from '../../docs-error.ts'
import { isObject, type Json, listIn, postJson, textsIn, webUrl } from '../json.ts'
import { searchLlms } from '../llms-search.ts'
import { orElse } from '../or-else.ts'
import { plainText } from '../plain-text.ts'
import {
  defineSite,
  type SiteAdapter,
  type SiteAnswer,
  type SiteHit,
  type SiteQuery,
} from '../site.ts'
import { metaOf } from '../stated-in.ts'

/** The search box of Mintlify; when it does not answer, the titles in llms.txt. */
export const mintlify: SiteAdapter = defineSite({
  name: 'mintlify',
  title: 'Mintlify search',
  defaults: {
    searchUrl: 'https://leaves.mintlify.com/api/search/{subdomain}',
    subdomain: '',
    llmsPath: 'llms.txt',
  },
  abilities: ['titles of llms.txt when the search fails'],
  filters: ['version'],
  async recognise({ html }) {
    if (!/^mintlify/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const subdomain =
      /\/\/mintcdn\.com\/([\w-]{1,100})\//.exec(html)?.[1] ??
      /\\?"subdomain\\?":\s{0,3}\\?"([\w-]{1,100})/.exec(html)?.[1]
    return { subdomain: subdomain ?? '' }
  },
  open({ searchUrl, subdomain, llmsPath }, { client, source }) {
    const base = new URL('.', source).href
    const llms = searchLlms({
      client,
      url: new URL(llmsPath, base).href,
      pageUrl: (url) => url.replace(/\.mdx?$/, ''),
    })
    return { search: orElse(searchNow, llms) }

    async function searchNow(
      query: string,
      { language, filters = {}, limit, signal }: SiteQuery,
    ): Promise<SiteAnswer> {
      if (subdomain === '') throw unnamed(source)
      const url = searchUrl.replace('{subdomain}', encodeURIComponent(subdomain))
      const version = filters['version']?.[0]
      const narrowing = { ...(language && { language }), ...(version && { version }) }
      const said = await postJson(client, url, { query, filters: narrowing }, { signal })
      const results = listIn(said['results'], 'results', url)
      const scoreOf = ({ score }: Json) => (typeof score === 'number' ? score : 0)
      const sorted = results.toSorted((a, b) => scoreOf(b) - scoreOf(a))
      return { hits: sorted.slice(0, limit).flatMap((result) => hitOf(result, base)) }
    }
  },
})

function unnamed(source: string): DocsError {
  return new DocsError(
    'unreachable',
    `The page ${source} does not say under which name Mintlify knows it.`,
    'Give it in the settings, as `subdomain`.',
  )
}

function hitOf({ page, header, content, metadata }: Json, base: string): SiteHit[] {
  if (typeof page !== 'string') return []
  const url = webUrl(page.replace(/^\/+/, ''), base)
  if (url === undefined) return []
  const { title, hash, breadcrumbs } = isObject(metadata) ? metadata : {}
  const heading = plainText(header, 300)
  const named = plainText(title, 300) || textsIn(breadcrumbs).at(-1) || heading || page
  const text = plainText(content)
  return [
    {
      url: typeof hash === 'string' && hash !== '' ? `${url}#${encodeURI(hash)}` : url,
      title: named,
      path: heading === '' || heading === named ? [] : [heading],
      // The text begins with the heading once more.
      excerpt:
        heading !== '' && text.startsWith(heading) ? text.slice(heading.length).trim() : text,
    },
  ]
}
