import { LRUCache } from 'lru-cache'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { allSites } from './all-sites.ts'
import { type GivenSites, isAddress, optionsOf, type SiteChoice, siteAt } from './given-sites.ts'
import { askSafely } from './port/ask-safely.ts'
import type { Site } from './port/site.ts'
import { recognise } from './recognise.ts'

export interface OpenSite extends SiteChoice {
  site: Site
}

/** Where it is remembered which service a source has. */
interface SiteMemory {
  state(key: string): Promise<string | undefined>
  setState(key: string, value: string): Promise<void>
}

export interface Sites {
  /** Why no site is asked to search, if none is. */
  readonly off: string | undefined
  /** The site that a page is of, if it is one of the web; nothing is read for it. */
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
  /** True of hosts that the operator named, or gave headers for. */
  isNamed: (url: URL) => boolean
  /** No site is asked anything. */
  offline: boolean
  /** None is asked to search. */
  isSearchOff: boolean
}

const keptMs = 24 * 60 * 60_000
/** Callers may name any number of sources. */
const mostOpen = 32

export function createSites(options: SitesOptions): Sites {
  const { client, given, front, isNamed, offline, isSearchOff } = options
  const open = new LRUCache<string, OpenSite>({ max: mostOpen })
  const looking = new Map<string, Promise<SiteChoice | undefined>>()

  return {
    off: offline ? 'nothing is fetched' : isSearchOff ? 'no site is asked' : undefined,
    at(url) {
      if (offline || !isAddress(url)) return undefined
      const choice = siteAt(url, given)
      return choice && openOnce(choice, new URL('/', url).href)
    },
    async of(source, memory) {
      if (offline || isSearchOff) return undefined
      const choice = siteAt(source, given) ?? (await lookOnce(source, memory))
      return choice && openOnce(choice, source)
    },
    async forget(source, memory) {
      if (!siteAt(source, given)) await memory.setState('site', '')
    },
  }

  function openOnce(choice: SiteChoice, source: string): OpenSite {
    const { adapter, options } = choice
    const key = JSON.stringify([adapter.name, options, source])
    const known = open.get(key) ?? {
      ...choice,
      site: askSafely(adapter.title, () => adapter.open(options, { client, source })),
    }
    open.set(key, known)
    return known
  }

  /** Those who ask at once share the look. */
  function lookOnce(source: string, memory: SiteMemory): Promise<SiteChoice | undefined> {
    const going = looking.get(source)
    if (going) return going
    const look = lookAt(source, memory).finally(() => looking.delete(source))
    looking.set(source, look)
    return look
  }

  async function lookAt(source: string, memory: SiteMemory): Promise<SiteChoice | undefined> {
    const known = recalled(await memory.state('site'))
    if (known) return choiceOf(known.name, known.stated)
    const page = await front(source).catch(() => undefined)
    if (!page) return undefined
    const { adapter, stated, isSure } = await recognise(page, { client, isNamed })
    if (adapter || isSure) {
      const finding = { name: adapter?.name, stated, at: Date.now() }
      await memory.setState('site', JSON.stringify(finding))
    }
    return choiceOf(adapter?.name, stated)
  }

  /** What an operator gives counts more than what a page states. */
  function choiceOf(
    name: string | undefined,
    stated: Readonly<Record<string, string>>,
  ): SiteChoice | undefined {
    const adapter = allSites.find((one) => one.name === name)
    return adapter && { adapter, options: optionsOf(adapter, given, stated) }
  }
}

interface Finding {
  /** Of the adapter; absent for a site without a search that is known. */
  name?: string
  stated: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/** What an earlier look has found, if it still holds and can be read. */
function recalled(text: string | undefined): Finding | undefined {
  if (!text) return undefined
  try {
    const { name, stated, at } = JSON.parse(text) as Finding
    const isWhole = typeof stated === 'object' && stated !== null && Date.now() - at <= keptMs
    return isWhole ? { stated, at, ...(name !== undefined && { name }) } : undefined
  } catch {
    return undefined
  }
}
