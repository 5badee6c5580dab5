import { searchLlms } from '../port/llms-search.ts'
import { defineSite, type SiteAdapter } from '../port/site.ts'
import { withFallback } from '../port/with-fallback.ts'
import { createContents } from './contents.ts'
import { recommend } from './recommend.ts'
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
    const isNeuron = new URL(source).host === new URL(options.neuronHome).host
    const llms = searchLlms({
      client,
      url: new URL(options.llmsPath, options.home).href,
      pageUrl: (url) => url.replace(/\.md$/, '.html'),
    })
    return {
      search: withFallback(
        (query, siteQuery) =>
          searchAws(query, siteQuery, { ...options, session, source, isNeuron, client }),
        llms,
      ),
      recommend: (url, signal) => recommend(url, { ...options, session, client, signal }),
      contents: createContents({ ...options, client }),
      isContents: (url) => new URL(url).pathname.endsWith(`/${options.contentsName}`),
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
    const contents = createContents({ ...options, client })
    return {
      contents: (url, signal) => contents(url === options.home ? options.servicesUrl : url, signal),
      isContents: (url) => new URL(url).pathname.endsWith(`/${options.contentsName}`),
    }
  },
})
