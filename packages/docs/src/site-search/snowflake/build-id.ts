import { decodeHtml } from '../../fetch/decode-html.ts'
import type { HttpClient } from '../../fetch/http-client.ts'
import { unexpected } from '../port/json.ts'

/** The id in the addresses of a Next.js build. */
export interface BuildId {
  get(): Promise<string>
  /** The id that the site has now, where it does not know this one any more. */
  renew(stale: string): Promise<string>
}

const keptMs = 60 * 60_000
/** How often a site is asked again that does not know the build it names itself. */
const renewMs = 10_000

/** Read from the first page and kept for an hour; those who ask at once share one request. */
export function createBuildId(client: HttpClient, home: string): BuildId {
  let known: { id: Promise<string>; at: number } | undefined
  let renewedAt = Number.NEGATIVE_INFINITY
  const get = (): Promise<string> => {
    if (!known || performance.now() - known.at > keptMs)
      known = { id: read(), at: performance.now() }
    return known.id
  }

  return {
    get,
    async renew(stale) {
      if ((await get()) === stale && performance.now() - renewedAt > renewMs) {
        renewedAt = performance.now()
        known = undefined
      }
      return get()
    },
  }

  async function read(): Promise<string> {
    try {
      const { bytes, charset, url } = await client.get(home)
      const found = /"buildId":"([\w.~-]{1,100})"/.exec(decodeHtml(bytes, charset))?.[1]
      if (found === undefined) throw unexpected(url, 'names no build')
      return found
    } catch (error) {
      known = undefined
      throw error
    }
  }
}
