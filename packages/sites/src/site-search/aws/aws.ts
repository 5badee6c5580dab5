import { searchLlms } from '../port/llms-search.ts'
import {
  isObject,
  type Json,
  objectsIn,
  plainText,
  requestJson,
  unexpected,
  valueAt,
  webUrl,
} from '../port/response.ts'
import { defineSite, type Recommendation, type SiteAdapter } from '../port/site.ts'
import { withFallback } from '../port/with-fallback.ts'
import { createContents } from './contents.ts'
import { locales, searchAws } from './search.ts'

/** Documentation of Amazon Web Services, including the Neuron SDK. */
export const aws: SiteAdapter = defineSite({
  name: 'aws',
  title: 'AWS documentation search',
  defaults: {
    home: 'https://docs.aws.amazon.com/',
    searchUrl: 'https://proxy.search.docs.aws.com/search',
    searchDomain: 'docs.aws.amazon.com',
    neuronHome: 'https://awsdocs-neuron.readthedocs-hosted.com/',
    neuronDomain: 'awsdocs-neuron.readthedocs-hosted.com',
    recommendUrl: 'https://api.contentrecs.docs.aws.com/v1/recommendations',
    contentsName: 'toc-contents.json',
    llmsPath: '/llms.txt',
  },
  abilities: ['recommendations', 'contents of guides', 'titles of llms.txt when the search fails'],
  languages: locales,
  filters: ['product', 'guide'],
  // Its Markdown replaces placeholder names in code by `{{name}}`.
  readsHtml: true,
  isAt: (url, { home, neuronHome }) =>
    [home, neuronHome].some((site) => url.host === new URL(site).host),
  open(options, { client, source }) {
    const session = crypto.randomUUID()
    const names = new URL(options.llmsPath, options.home).href
    const llms = searchLlms(client, names, (url) => url.replace(/\.md$/, '.html'))
    return {
      search: withFallback(
        (query, siteQuery) => searchAws(query, siteQuery, { options, session, source, client }),
        llms,
      ),
      async recommend(url, signal) {
        const endpoint = new URL(options.recommendUrl)
        endpoint.searchParams.set('path', url.split('#')[0] ?? url)
        endpoint.searchParams.set('session', session)
        return recommendationsIn(await requestJson(client, endpoint, { signal }), url, options)
      },
      ...createContents(options.contentsName, client),
    }
  },
})

/** The China partition: other services, and no search or recommendations. */
export const awsChina: SiteAdapter = defineSite({
  name: 'aws-cn',
  title: 'AWS China documentation',
  defaults: {
    home: 'https://docs.amazonaws.cn/',
    servicesUrl: 'https://docs.amazonaws.cn/en_us/aws/latest/userguide/services.html',
    contentsName: 'toc-contents.json',
  },
  abilities: ['contents of guides', 'list of services'],
  // Its Markdown replaces placeholder names in code by `{{name}}`.
  readsHtml: true,
  isAt: (url, { home }) => url.host === new URL(home).host,
  open(options, { client }) {
    const { contents, isContents } = createContents(options.contentsName, client)
    return {
      contents: (url, signal) => contents(url === options.home ? options.servicesUrl : url, signal),
      isContents,
    }
  },
})

/**
 * Recommendations for a page, in the order of the service: highly rated, read next, new, similar.
 */
function recommendationsIn(
  response: Json,
  url: string,
  { recommendUrl }: { recommendUrl: string },
): Recommendation[] {
  if (!['highlyRated', 'journey', 'new', 'similar'].some((group) => isObject(response[group])))
    throw unexpected(recommendUrl, 'has no recommendations')
  return [
    ...itemsIn(response['highlyRated']).flatMap((item) =>
      pageOf('highly rated', item, url, plainText(item['abstract'])),
    ),
    ...itemsIn(response['journey']).flatMap((step) =>
      objectsIn(step['urls']).flatMap((item) => {
        const intent = plainText(step['intent'], 200)
        return pageOf('read next', item, url, intent === '' ? '' : `Intent: ${intent}`)
      }),
    ),
    ...itemsIn(response['new']).flatMap((item) => {
      const date = plainText(item['dateCreated'], 40)
      return pageOf('new', item, url, date === '' ? '' : `New content added on ${date}`)
    }),
    ...itemsIn(response['similar']).flatMap((item) =>
      pageOf('similar', item, url, plainText(item['abstract'])),
    ),
  ]
}

const itemsIn = (group: unknown): Json[] => objectsIn(valueAt(group, 'items'))

function pageOf(
  group: Recommendation['group'],
  item: Json,
  base: string,
  about: string,
): Recommendation[] {
  const url = webUrl(item['url'], base)
  if (url === undefined) return []
  return [{ group, url, title: plainText(item['assetTitle'], 300), ...(about !== '' && { about }) }]
}
