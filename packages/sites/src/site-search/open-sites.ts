import { LRUCache } from 'lru-cache'
import { decodeHtml } from '#fetch/decode-html'
import type { FrontPageReader } from '#fetch/front-page'
import type { HttpClient, HttpResponse } from '#fetch/http-client'
import { DocsError } from '#formats/docs-error'
import { allSites } from './all-sites.ts'
import { querySite } from './port/query-site.ts'
import type { Front, Site, SiteAdapter } from './port/site.ts'
import {
  isAddress,
  optionsOf,
  type SiteChoice,
  type SiteSettings,
  siteAt,
} from './site-settings.ts'

export interface OpenSite extends SiteChoice {
  site: Site
}

/** Stores which service a source has. */
interface SiteMemory {
  state(key: string): Promise<string | undefined>
  setState(key: string, value: string): Promise<void>
}

export interface Sites {
  /** Why the search of sites is not used; undefined if it is. */
  readonly off: string | undefined
  /** The site of a web page, if it has an adapter. Sends no request. */
  at(url: string): OpenSite | undefined
  /** The site or service of a source. Its first page is fetched at most once a day. */
  of(source: string, memory: SiteMemory): Promise<OpenSite | undefined>
  /** Detect the service again, after it did not answer as its page states. */
  forget(source: string, memory: SiteMemory): Promise<void>
}

export interface SitesOptions {
  client: HttpClient
  settings: SiteSettings
  front: FrontPageReader
  /** True for hosts that the operator named, or configured headers for. */
  isNamed: (url: URL) => boolean
  /** No site is contacted. */
  offline: boolean
  /** The search of sites is not used. */
  isSearchOff: boolean
}

const cacheMs = 24 * 60 * 60_000
/** Callers may name any number of sources; the least recently used sites are dropped. */
const maxOpen = 32

export function createSites(options: SitesOptions): Sites {
  const { client, settings, front, offline, isSearchOff } = options
  const open = new LRUCache<string, OpenSite>({ max: maxOpen })
  const looking = new Map<string, Promise<SiteChoice | undefined>>()

  return {
    off: offline ? 'the network is off' : isSearchOff ? 'site search is off' : undefined,
    at(url) {
      if (offline || !isAddress(url)) return undefined
      const choice = siteAt(url, settings)
      return choice && openOnce(choice, new URL('/', url).href)
    },
    async of(source, memory) {
      if (offline || isSearchOff) return undefined
      const choice = siteAt(source, settings) ?? (await probeOnce(source, memory))
      return choice && openOnce(choice, source)
    },
    async forget(source, memory) {
      if (!siteAt(source, settings)) await memory.setState('site', '')
    },
  }

  function openOnce(choice: SiteChoice, source: string): OpenSite {
    const { adapter, options } = choice
    const key = JSON.stringify([adapter.name, options, source])
    const openSite = open.get(key) ?? {
      ...choice,
      site: querySite(adapter.title, () => adapter.open(options, { client, source })),
    }
    open.set(key, openSite)
    return openSite
  }

  /** Concurrent callers share one probe. */
  function probeOnce(source: string, memory: SiteMemory): Promise<SiteChoice | undefined> {
    const going = looking.get(source)
    if (going) return going
    const look = probe(source, memory).finally(() => looking.delete(source))
    looking.set(source, look)
    return look
  }

  async function probe(source: string, memory: SiteMemory): Promise<SiteChoice | undefined> {
    const lastFinding = recalled(await memory.state('site'))
    if (lastFinding) return choiceOf(lastFinding.name, lastFinding.stated)
    const page = await front(source).catch(() => undefined)
    if (!page) return undefined
    const { adapter, stated, isSure } = await recognise(page, options)
    if (adapter || isSure) {
      const finding = { name: adapter?.name, stated, at: Date.now() }
      await memory.setState('site', JSON.stringify(finding))
    }
    return choiceOf(adapter?.name, stated)
  }

  /** Options of the operator override those that the page states. */
  function choiceOf(
    name: string | undefined,
    stated: Readonly<Record<string, string>>,
  ): SiteChoice | undefined {
    const adapter = allSites.find((site) => site.name === name)
    return adapter && { adapter, options: optionsOf(adapter, settings, stated) }
  }
}

interface Finding {
  /** Name of the adapter; absent for a site without a known search. */
  name?: string
  stated: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/** The stored result of an earlier probe, if it is recent and valid. */
function recalled(text: string | undefined): Finding | undefined {
  if (!text) return undefined
  try {
    const { name, stated, at } = JSON.parse(text) as Finding
    const isWhole = typeof stated === 'object' && stated !== null && Date.now() - at <= cacheMs
    return isWhole ? { stated, at, ...(name !== undefined && { name }) } : undefined
  } catch {
    return undefined
  }
}

const maxScript = 8 * 2 ** 20
/** Characters of a first page that are searched; settings are in its head or soon after. */
const maxText = 4 * 2 ** 20

/**
 * Recognise the service of a site by its first page and scripts, and the options that the page
 * states; not sure if a script could not be read. Options that lead to a host that
 * the operator named for another source are ignored: a page could otherwise send requests there,
 * with the headers configured for it.
 */
async function recognise(
  page: HttpResponse,
  { client, isNamed }: SitesOptions,
): Promise<{ adapter?: SiteAdapter; stated: Record<string, string>; isSure: boolean }> {
  const { host } = new URL(page.url)
  const isForeign = (address: URL): boolean => address.host !== host && isNamed(address)
  let isSure = true
  const files = new Map<string, Promise<string | undefined>>()
  const front: Front = {
    url: page.url,
    html: decodeHtml(page.bytes, page.charset).slice(0, maxText),
    async read(url) {
      if (isForeign(new URL(url))) return undefined
      // Several adapters may read the same script.
      const file = files.get(url) ?? read(url)
      files.set(url, file)
      return file
    },
  }
  for (const adapter of allSites) {
    const stated = await adapter.recognise?.(front).catch(() => undefined)
    if (!stated) continue
    const values = Object.entries(stated).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    const isOwn = values.every(([, value]) => !isAddress(value) || !isForeign(new URL(value)))
    if (isOwn) return { adapter, stated: Object.fromEntries(values), isSure }
  }
  return { stated: {}, isSure }

  async function read(url: string): Promise<string | undefined> {
    try {
      const { bytes, charset } = await client.request(url, { accept: '*/*', maxBytes: maxScript })
      return decodeHtml(bytes, charset ?? 'utf-8')
    } catch (error) {
      if (!(error instanceof DocsError) || error.code !== 'not_found') isSure = false
      return undefined
    }
  }
}
