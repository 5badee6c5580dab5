import { DocsError } from '../common/docs-error.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts'
import { allSites } from './all-sites.ts'
import { isAddress } from './given-sites.ts'
import type { Front, SiteAdapter } from './port/site.ts'

export interface RecogniseOptions {
  client: HttpClient
  /** True of hosts that the operator named, or gave headers for. */
  isNamed: (url: URL) => boolean
}

export interface Recognised {
  adapter?: SiteAdapter
  /** What the page states. */
  stated: Record<string, string>
  /** Everything there is to see was seen: the finding holds until the page changes. */
  isSure: boolean
}

const mostScript = 8 * 2 ** 20
/** Of the text of a first page; settings stand in its head, or soon after. */
const mostText = 4 * 2 ** 20

/**
 * The service behind a site, by its first page and the scripts that it loads. What a page states is
 * not taken where it leads to a host that the operator named for another source: a page could
 * otherwise have that asked, with the headers that are for it.
 */
export async function recognise(
  page: HttpResponse,
  { client, isNamed }: RecogniseOptions,
): Promise<Recognised> {
  const { host } = new URL(page.url)
  const isForeign = (address: URL): boolean => address.host !== host && isNamed(address)
  let isSure = true
  const files = new Map<string, Promise<string | undefined>>()
  const front: Front = {
    url: page.url,
    html: decodeHtml(page.bytes, page.charset).slice(0, mostText),
    async read(url) {
      if (isForeign(new URL(url))) return undefined
      // Several services may look into the same script.
      const known = files.get(url) ?? read(url)
      files.set(url, known)
      return known
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
      const { bytes, charset } = await client.get(url, { accept: '*/*', maxBytes: mostScript })
      return decodeHtml(bytes, charset ?? 'utf-8')
    } catch (error) {
      if (!(error instanceof DocsError) || error.code !== 'not_found') isSure = false
      return undefined
    }
  }
}
