import { DocsError } from '../../common/docs-error.ts'
import { isHtmlText } from '../../common/page-format.ts'
import {
  hitsIn,
  isObject,
  type Json,
  listIn,
  postJson,
  textsIn,
  webUrl,
  withFragment,
} from '../port/json.ts'
import { searchLlms } from '../port/llms-search.ts'
import { orElse } from '../port/or-else.ts'
import { plainText } from '../port/plain-text.ts'
import {
  defineSite,
  type Front,
  type SiteAdapter,
  type SiteAnswer,
  type SiteHit,
  type SiteQuery,
} from '../port/site.ts'
import { metaOf } from '../port/stated-in.ts'

/** The search box of Mintlify; when it does not answer, the titles in llms.txt. */
export const mintlify: SiteAdapter = defineSite({
  name: 'mintlify',
  title: 'Mintlify search',
  defaults: {
    searchUrl: 'https://leaves.mintlify.com/api/search/{subdomain}',
    subdomain: '',
    /** Where the documentation begins; default: the folder of the source. */
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
      return { hits: hitsIn(sorted, limit, url, (result) => hitOf(result, base)) }
    }
  },
})

const mostFolders = 5

/** The nearest folder with an llms.txt, which stands where the documentation begins. */
async function baseOf(url: string, read: Front['read']): Promise<string | undefined> {
  let folder = new URL('.', url)
  for (let tries = 0; tries < mostFolders; tries++) {
    const text = await read(new URL('llms.txt', folder).href)
    if (text !== undefined && !isHtmlText(text)) return folder.href
    if (folder.pathname === '/') return undefined
    folder = new URL('..', folder)
  }
  return undefined
}

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
      url: withFragment(url, hash),
      title: named,
      path: heading === '' || heading === named ? [] : [heading],
      // The text begins with the heading once more.
      excerpt:
        heading !== '' && text.startsWith(heading) ? text.slice(heading.length).trim() : text,
    },
  ]
}
