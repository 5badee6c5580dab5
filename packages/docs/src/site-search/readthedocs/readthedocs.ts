import { metaOf } from '../port/extract-config.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  type Json,
  listIn,
  plainText,
  requestJson,
  textsIn,
  unexpected,
  webUrl,
  withFragment,
} from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteHit } from '../port/site.ts'

/** Largest page size of the service. */
const maxResults = 30

/** Server-side search of Read the Docs, on the documentation's own host. */
export const readthedocs: SiteAdapter = defineSite({
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
  open({ searchUrl, project, version }, { client, source }) {
    const place = version === '' ? project : `${project}/${version}`
    return {
      async search(query, { limit, signal }) {
        const url = new URL(searchUrl, source)
        url.searchParams.set('q', `project:${place} ${withoutOperators(query)}`)
        url.searchParams.set('page_size', String(Math.min(limit, maxResults)))
        const response = await requestJson(client, url, { signal })
        const found = listIn(response['results'], 'results', url.href)
        // For an unknown project the service returns an empty answer instead of an error.
        if (
          found.length === 0 &&
          Array.isArray(response['projects']) &&
          response['projects'].length === 0
        )
          throw unexpected(url.href, `has no project ${place}`)
        const { count } = response
        return {
          hits: hitsIn(found, 'results', limit, url.href, (page) => hitOf(page, source)),
          ...(typeof count === 'number' && { total: count }),
        }
      },
    }
  },
})

/** The best matching section is the first of a page's blocks. */
function hitOf(page: Json, source: string): SiteHit[] {
  const { domain, path, title, blocks } = page
  const base = typeof domain === 'string' ? webUrl(domain, source) : source
  const sections = (Array.isArray(blocks) ? blocks : []).filter(isObject)
  const { id, title: heading, content, highlights } = sections[0] ?? {}
  const marked = isObject(highlights) ? textsIn(highlights['content']) : []
  const named = plainText(heading, 300)
  const hits = hitAt(path, base ?? source, {
    title,
    path: named === '' || named === title ? [] : [named],
    excerpt: plainText(marked.slice(0, 2).join(' … ')) || plainText(content),
    ...(sections.length > 0 && { sections: textsIn(sections.map((section) => section['title'])) }),
  })
  return hits.map((hit) => ({ ...hit, url: withFragment(hit.url, id) }))
}

/** Removes the operators of the service's query language. */
const withoutOperators = (query: string): string =>
  query
    .replace(/\b(project|subprojects|user):/gi, '$1 ')
    .replace(/[+|*()~\\]|(?<=^|\s)-+/g, ' ')
    .trim()
