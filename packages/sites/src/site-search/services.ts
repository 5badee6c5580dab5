import { createSectionRanker } from '@pith-mcp/scorer'
import { DocsError } from '#formats/docs-error'
import { isHtmlText } from '#formats/readers/html'
import { metaOf } from '#formats/stated-version'
import { jsonSite, type Place } from './port/json-site.ts'
import { searchLlms } from './port/llms-search.ts'
import {
  hitAt,
  listIn,
  objectsIn,
  plainText,
  requestJson,
  textsIn,
  unexpected,
  valueAt,
  webUrl,
} from './port/response.ts'
import type { Front, SiteAdapter, SiteAnswer, SiteQuery } from './port/site.ts'

/** The search of GitBook; if it fails, the titles and descriptions of its page index. */
export const gitbook: SiteAdapter = jsonSite({
  name: 'gitbook',
  title: 'GitBook search',
  defaults: {
    /** Root of the site; by default the folder of the source. */
    base: '',
    searchPath: '~gitbook/search',
    indexPath: '~gitbook/site-index',
  },
  abilities: ['titles of its index when the search fails'],
  async recognise({ html, url }) {
    // The legacy generator states `GitBook 3.2.3`.
    if (!/^gitbook \(/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const stated = /href="([^"]{0,300})~gitbook\/site-index"/.exec(html)?.[1]
    const isUrl = stated !== undefined && URL.canParse(stated || '/', url)
    return isUrl ? { base: new URL(stated || '/', url).href } : {}
  },
  request: (query, _siteQuery, { options }) => ({
    url: options.searchPath,
    body: { query, scope: { mode: 'all' } },
  }),
  results: 'results',
  hit: ({ title, href, description, bestSection }) => ({
    url: valueAt(bestSection, 'href') ?? href,
    title,
    headings: [valueAt(bestSection, 'title')],
    excerpts: [valueAt(bestSection, 'body'), description],
  }),
  fallback: (place) => (query, siteQuery) => searchTitles(query, siteQuery, place),
})

async function searchTitles(
  query: string,
  { limit, language, signal }: SiteQuery,
  { options, base, client }: Place<'indexPath'>,
): Promise<SiteAnswer> {
  const url = new URL(options.indexPath, base).href
  const pages = listIn((await requestJson(client, url, { signal }))['pages'], 'pages', url)
  const spoken = language === undefined ? pages : pages.filter(({ lang }) => lang === language)
  const ranked = createSectionRanker(spoken.length > 0 ? spoken : pages, {
    heading: ({ title }) => plainText(title, 300),
    text: ({ description }) => plainText(description),
    id: ({ pathname }) => String(pathname),
    path: ({ breadcrumbs }) =>
      objectsIn(breadcrumbs)
        .map(({ label }) => plainText(label, 100))
        .join(' '),
  }).rank(query)
  return {
    total: ranked.length,
    hits: ranked
      .slice(0, limit)
      .flatMap(({ item: { pathname, title, description } }) =>
        hitAt(pathname, base, { title, excerpt: plainText(description) }),
      ),
  }
}

/** The search of Mintlify; if it fails, the titles in llms.txt. */
export const mintlify: SiteAdapter = jsonSite({
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
    const base = await folderOfLlms(url, read)
    return { ...(subdomain && { subdomain }), ...(base && { base }) }
  },
  request(query, { language, filters = {} }, { options: { searchUrl, subdomain }, source }) {
    if (subdomain === '')
      throw new DocsError(
        'unreachable',
        `The page ${source} does not contain its Mintlify subdomain.`,
        'Configure `subdomain` in the settings of the site.',
      )
    const version = filters['version']?.[0]
    return {
      url: searchUrl.replace('{subdomain}', encodeURIComponent(subdomain)),
      body: { query, filters: { ...(language && { language }), ...(version && { version }) } },
    }
  },
  results: 'results',
  score: 'score',
  hit({ page, header, content, metadata }) {
    if (typeof page !== 'string') return undefined
    const heading = plainText(header, 300)
    const crumb = textsIn(valueAt(metadata, 'breadcrumbs')).at(-1)
    const title = plainText(valueAt(metadata, 'title'), 300) || crumb || heading || page
    const text = plainText(content)
    // The text repeats the heading at its start.
    const excerpt = heading !== '' && text.startsWith(heading) ? text.slice(heading.length) : text
    return {
      url: page.replace(/^\/+/, ''),
      title,
      headings: heading === title ? [] : [heading],
      excerpts: [excerpt],
      fragment: valueAt(metadata, 'hash'),
    }
  },
  fallback: ({ options, base, client }) =>
    searchLlms(client, new URL(options.llmsPath, base).href, (url) => url.replace(/\.mdx?$/, '')),
})

const maxFolders = 5

/** The nearest folder with an llms.txt is the root of the documentation. */
async function folderOfLlms(url: string, read: Front['read']): Promise<string | undefined> {
  let folder = new URL('.', url)
  for (let tries = 0; tries < maxFolders; tries++) {
    const text = await read(new URL('llms.txt', folder).href)
    if (text !== undefined && !isHtmlText(text)) return folder.href
    if (folder.pathname === '/') return undefined
    folder = new URL('..', folder)
  }
  return undefined
}

/** Server-side search of Read the Docs, on the documentation's own host. */
export const readthedocs: SiteAdapter = jsonSite({
  name: 'readthedocs',
  title: 'Read the Docs search',
  defaults: {
    /** On the host of the source, or elsewhere: `https://app.readthedocs.org/api/v3/search/`. */
    searchUrl: '/_/api/v3/search/',
    project: '',
    version: '',
  },
  async recognise({ html }) {
    const project = metaOf(html, 'readthedocs-project-slug')
    const version = metaOf(html, 'readthedocs-version-slug') ?? ''
    return project ? { project, version } : undefined
  },
  request: (query, { limit }, { options }) => ({
    url: options.searchUrl,
    params: {
      q: `project:${projectOf(options)} ${withoutOperators(query)}`,
      page_size: String(Math.min(limit, 30)),
    },
  }),
  results: 'results',
  total: 'count',
  hit({ domain, path, title, blocks }, { source }) {
    const sections = objectsIn(blocks)
    // The best matching section is the first of a page's blocks.
    const { id, title: sectionTitle, content, highlights } = sections[0] ?? {}
    const marked = textsIn(valueAt(highlights, 'content')).slice(0, 2)
    const heading = plainText(sectionTitle, 300)
    return {
      url: path,
      base: typeof domain === 'string' ? webUrl(domain, source) : source,
      title,
      headings: heading === title ? [] : [heading],
      excerpts: [marked.join(' … '), content],
      fragment: id,
      ...(sections.length > 0 && {
        sections: textsIn(sections.map((section) => section['title'])),
      }),
    }
  },
  rest(response, url, { options }) {
    const { results, projects } = response
    const hasNone = (list: unknown) => Array.isArray(list) && list.length === 0
    // For an unknown project the service returns an empty answer instead of an error.
    if (hasNone(results) && hasNone(projects))
      throw unexpected(url, `has no project ${projectOf(options)}`)
    return {}
  },
})

const projectOf = ({ project, version }: Record<'project' | 'version', string>): string =>
  version === '' ? project : `${project}/${version}`

/** Removes the operators of the service's query language. */
const withoutOperators = (query: string): string =>
  query
    .replace(/\b(project|subprojects|user):/gi, '$1 ')
    .replace(/[+|*()~\\]|(?<=^|\s)-+/g, ' ')
    .trim()

/** Full-text search of a wiki. */
export const mediawiki: SiteAdapter = jsonSite({
  name: 'mediawiki',
  title: 'MediaWiki search',
  defaults: {
    /** Address of `api.php`. */
    apiUrl: '',
  },
  async recognise({ html, url }) {
    if (!/^mediawiki\b/i.test(metaOf(html, 'generator') ?? '')) return undefined
    const link = /<link\b[^<>]{0,300}\brel="EditURI"[^<>]{0,600}>/i.exec(html)?.[0]
    const apiUrl = webUrl(/\bhref="([^"?]{1,500})/.exec(link ?? '')?.[1], url)
    const isOwn = apiUrl !== undefined && new URL(apiUrl).host === new URL(url).host
    return isOwn ? { apiUrl } : undefined
  },
  request: (query, { limit }, { options }) => ({
    url: options.apiUrl,
    params: {
      action: 'query',
      format: 'json',
      formatversion: '2',
      list: 'search',
      srsearch: query,
      // Of clients without an account.
      srlimit: String(Math.min(limit, 50)),
      srprop: 'snippet|sectiontitle',
      // The form of the addresses of pages.
      meta: 'siteinfo',
    },
  }),
  results: 'query.search',
  total: 'query.searchinfo.totalhits',
  hit({ title, snippet, sectiontitle }, _place, response) {
    const path = valueAt(response, 'query.general.articlepath')
    const name = encodeURIComponent(String(title).replaceAll(' ', '_'))
      .replaceAll('%2F', '/')
      .replaceAll('%3A', ':')
    const heading = plainText(sectiontitle, 300)
    return {
      url: (typeof path === 'string' ? path : '/$1').replace('$1', () => name),
      title,
      headings: [heading],
      excerpts: [snippet],
      fragment: heading.replaceAll(' ', '_'),
    }
  },
  rest({ error }, url) {
    if (error !== undefined) throw unexpected(url, `reports ${JSON.stringify(error).slice(0, 200)}`)
    return {}
  },
})
