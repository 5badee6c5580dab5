import { LRUCache } from 'lru-cache'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { allSites } from './all-sites.ts'
import { type GivenSites, type SiteChoice, siteAt } from './given-sites.ts'
import type { Front, Site, SiteAdapter, SiteOptions } from './site.ts'

export interface OpenSite extends SiteChoice {
  site: Site
}

/** Where it is remembered which service a source has. */
interface SiteMemory {
  state(key: string): Promise<string | undefined>
  setState(key: string, value: string): Promise<void>
}

export interface Sites {
  /** The site that a page is of; nothing is read for it. */
  at(url: string): OpenSite | undefined
  /** The site or service behind a source; its first page is looked at once a day. */
  of(source: string, memory: SiteMemory): Promise<OpenSite | undefined>
  /** The service did not answer as its page says: look at the page again. */
  forget(source: string, memory: SiteMemory): Promise<void>
}

export interface SitesOptions {
  client: HttpClient
  given: GivenSites
  /** The first page of a source. */
  front: (url: string) => Promise<HttpResponse | undefined>
  /** No site is asked anything. */
  offline: boolean
  /** None is asked to search. */
  isSearchOff: boolean
}

const keptMs = 24 * 60 * 60_000
/** Callers may name any number of sources. */
const mostOpen = 32
const mostScript = 8 * 2 ** 20

export function createSites(options: SitesOptions): Sites {
  const { client, given, front, offline, isSearchOff } = options
  const open = new LRUCache<string, OpenSite>({ max: mostOpen })

  return {
    at(url) {
      const choice = offline ? undefined : siteAt(url, given)
      return choice && openOnce(choice, new URL('/', url).href)
    },
    async of(source, memory) {
      if (offline || isSearchOff) return undefined
      const named = siteAt(source, given)
      if (named) return openOnce(named, source)
      const known = await recall(memory)
      const choice = known ? known.choice : await recognise(source, memory)
      return choice && openOnce(choice, source)
    },
    async forget(source, memory) {
      if (!siteAt(source, given)) await memory.setState('site', '')
    },
  }

  function openOnce(choice: SiteChoice, source: string): OpenSite {
    const { adapter, options } = choice
    const key = JSON.stringify([adapter.name, options, source])
    const known = open.get(key) ?? { ...choice, site: adapter.open(options, { client, source }) }
    open.set(key, known)
    return known
  }

  /** What an earlier look has found, which may be nothing. */
  async function recall(memory: SiteMemory): Promise<{ choice?: SiteChoice } | undefined> {
    const text = await memory.state('site')
    if (!text) return undefined
    const { name, options, at } = JSON.parse(text) as { name?: string; options: object; at: number }
    if (Date.now() - at > keptMs) return undefined
    const adapter = allSites.find((one) => one.name === name)
    return adapter ? { choice: { adapter, options: optionsOf(adapter, options) } } : {}
  }

  /** What an operator gives counts more than what a page states. */
  function optionsOf({ name, defaults }: SiteAdapter, stated: object): SiteOptions {
    return { ...defaults, ...stated, ...given[name] }
  }

  async function recognise(source: string, memory: SiteMemory): Promise<SiteChoice | undefined> {
    const page = await front(source).catch(() => undefined)
    if (!page) return undefined
    const html = decodeHtml(page.bytes, page.charset)
    const seen: Front = { url: page.url, html, read: reader() }
    for (const adapter of allSites) {
      const stated = await adapter.recognise?.(seen).catch(() => undefined)
      if (!stated) continue
      await remember(memory, adapter.name, stated)
      return {
        adapter,
        options: optionsOf(adapter, stated),
      }
    }
    await remember(memory, undefined, {})
    return undefined
  }

  /** Several services may look into the same script. */
  function reader(): Front['read'] {
    const files = new Map<string, Promise<string | undefined>>()
    return (url) => {
      const known =
        files.get(url) ??
        client.get(url, { accept: '*/*', maxBytes: mostScript }).then(
          ({ bytes, charset }) => decodeHtml(bytes, charset ?? 'utf-8'),
          () => undefined,
        )
      files.set(url, known)
      return known
    }
  }
}

const remember = (memory: SiteMemory, name: string | undefined, options: object): Promise<void> =>
  memory.setState('site', JSON.stringify({ name, options, at: Date.now() }))
