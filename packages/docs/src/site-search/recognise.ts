import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpResponse } from '../fetch/http-client.ts'
import type { HttpClient } from '../fetch/undici-client.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { allSites } from './all-sites.ts'
import type { Front, SiteAdapter } from './port/site.ts'
import { isAddress } from './site-settings.ts'

export interface RecogniseOptions {
  client: HttpClient
  /** True for hosts that the operator named, or configured headers for. */
  isNamed: (url: URL) => boolean
}

export interface Recognised {
  adapter?: SiteAdapter
  /** Options that the page states. */
  stated: Record<string, string>
  /** False if a script could not be read: the result is then not cached. */
  isSure: boolean
}

const maxScript = 8 * 2 ** 20
/** Characters of a first page that are searched; settings are in its head or soon after. */
const maxText = 4 * 2 ** 20

/**
 * Recognise the service of a site by its first page and scripts. Options that lead to a host that
 * the operator named for another source are ignored: a page could otherwise send requests there,
 * with the headers configured for it.
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
    html: decodeHtml(page.bytes, page.charset).slice(0, maxText),
    async read(url) {
      if (isForeign(new URL(url))) return undefined
      // Several adapters may read the same script.
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
      const { bytes, charset } = await client.request(url, { accept: '*/*', maxBytes: maxScript })
      return decodeHtml(bytes, charset ?? 'utf-8')
    } catch (error) {
      if (!(error instanceof DocsError) || error.code !== 'not_found') isSure = false
      return undefined
    }
  }
}
