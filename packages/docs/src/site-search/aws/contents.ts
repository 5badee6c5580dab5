import { LRUCache } from 'lru-cache'
import { DocsError } from '../../common/docs-error.ts'
import type { HttpClient } from '../../fetch/http-client.ts'
import { getJson, isObject, unexpected, webUrl } from '../port/json.ts'
import { plainText } from '../port/plain-text.ts'
import type { Contents } from '../port/site.ts'

interface Asked {
  /** Of the list in the folder of a page. */
  contentsName: string
  client: HttpClient
  signal: AbortSignal | undefined
}

const mostPages = 20_000
const mostFiles = 200
const deepest = 30
/** Lists are read one after the other, as they name each other. */
const mostMs = 20_000

const keptMs = 10 * 60_000
const keptGuides = 10

/** Reads the contents of guides; those that were read whole are kept for some minutes. */
export function createContents({ contentsName, client }: Omit<Asked, 'signal'>) {
  const kept = new LRUCache<string, Contents>({ max: keptGuides, ttl: keptMs })
  return async (url: string, signal?: AbortSignal): Promise<Contents | undefined> => {
    const first = new URL(contentsName, url).href
    const known = kept.get(first)
    if (known) return known
    const contents = await readContents(first, { contentsName, client, signal })
    if (contents && !contents.more) kept.set(first, contents)
    return contents
  }
}

/** The pages of a guide: of its list, and of lists that one names. */
async function readContents(first: string, asked: Asked): Promise<Contents | undefined> {
  const contents: Contents = { url: first, pages: [], more: false }
  const seen = new Set<string>()
  const until = performance.now() + mostMs
  const isRead = await readInto(first, 1, false)
  return isRead && contents.pages.length > 0 ? contents : undefined

  async function readInto(file: string, level: number, isPart: boolean): Promise<boolean> {
    if (seen.has(file) || new URL(file).host !== new URL(first).host) return false
    if (seen.size >= mostFiles || performance.now() > until) {
      contents.more = true
      return false
    }
    seen.add(file)
    const { client, signal } = asked
    const found = await getJson(client, file, { signal }).catch((error: unknown) => {
      if (error instanceof DocsError && error.code === 'not_found') return undefined
      // A part that cannot be read now leaves a gap, which is told; without the first there is no list.
      if (!isPart) throw error
      signal?.throwIfAborted()
      contents.more = true
      return undefined
    })
    if (!found) return false
    if (!Array.isArray(found['contents'])) throw unexpected(file, 'has no contents')
    await addAll(found['contents'], file, level)
    return true
  }

  async function addAll(items: unknown, file: string, level: number): Promise<void> {
    for (const item of Array.isArray(items) ? items.filter(isObject) : []) {
      if (contents.pages.length >= mostPages || level > deepest) {
        contents.more = true
        return
      }
      const page = webUrl(item['href'], file)
      const title = plainText(item['title'], 300)
      // A group has a title and no page; what other hosts have is no part of the guide.
      const isOwn = page === undefined || new URL(page).host === new URL(first).host
      if (title !== '' && isOwn) contents.pages.push({ url: page ?? '', title, level })
      await addAll(item['contents'], file, level + 1)
      const included = webUrl(item['include_contents'], file)
      if (included !== undefined) await readInto(included, level + 1, true)
    }
  }
}
