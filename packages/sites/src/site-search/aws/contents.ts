import { LRUCache } from 'lru-cache'
import type { HttpClient } from '#fetch/http-client'
import { DocsError } from '#formats/docs-error'
import { objectsIn, plainText, requestJson, unexpected, webUrl } from '../port/response.ts'
import type { Contents } from '../port/site.ts'

const maxPages = 20_000
const maxFiles = 200
const maxDepth = 30
/** Milliseconds for all lists: they name each other and are read one after the other. */
const maxMs = 20_000

const cacheMs = 10 * 60_000
const maxCachedGuides = 10

/**
 * Reads the contents of guides, from lists with a file name in the folder of a page. Complete ones
 * are cached for ten minutes.
 */
export function createContents(contentsName: string, client: HttpClient) {
  const cached = new LRUCache<string, Contents>({ max: maxCachedGuides, ttl: cacheMs })
  return {
    async contents(url: string, signal?: AbortSignal): Promise<Contents | undefined> {
      const first = new URL(contentsName, url).href
      const cachedContents = cached.get(first)
      if (cachedContents) return cachedContents
      const contents = await readContents(first, client, signal)
      if (contents && !contents.more) cached.set(first, contents)
      return contents
    },
    isContents: (url: string): boolean => new URL(url).pathname.endsWith(`/${contentsName}`),
  }
}

/** The pages of a guide: of its list and of the lists that it includes. */
async function readContents(
  first: string,
  client: HttpClient,
  signal: AbortSignal | undefined,
): Promise<Contents | undefined> {
  const contents: Contents = { url: first, pages: [], more: false }
  const visitedFiles = new Set<string>()
  const until = performance.now() + maxMs
  const isRead = await readInto(first, 1, false)
  return isRead && contents.pages.length > 0 ? contents : undefined

  async function readInto(file: string, level: number, isPart: boolean): Promise<boolean> {
    if (visitedFiles.has(file) || new URL(file).host !== new URL(first).host) return false
    if (visitedFiles.size >= maxFiles || performance.now() > until) {
      contents.more = true
      return false
    }
    visitedFiles.add(file)
    const list = await requestJson(client, file, { signal }).catch((error: unknown) => {
      if (error instanceof DocsError && error.code === 'not_found') return undefined
      // An unreadable part leaves a gap, marked by `more`. Without the first list there are no
      // contents.
      if (!isPart) throw error
      signal?.throwIfAborted()
      contents.more = true
      return undefined
    })
    if (!list) return false
    if (!Array.isArray(list['contents'])) throw unexpected(file, 'has no contents')
    await addAll(list['contents'], file, level)
    return true
  }

  async function addAll(items: unknown, file: string, level: number): Promise<void> {
    for (const item of objectsIn(items)) {
      if (contents.pages.length >= maxPages || level > maxDepth) {
        contents.more = true
        return
      }
      const page = webUrl(item['href'], file)
      const title = plainText(item['title'], 300)
      // A group has a title but no page. Pages of other hosts are not part of the guide.
      const isOwn = page === undefined || new URL(page).host === new URL(first).host
      if (title !== '' && isOwn) contents.pages.push({ url: page ?? '', title, level })
      await addAll(item['contents'], file, level + 1)
      const included = webUrl(item['include_contents'], file)
      if (included !== undefined) await readInto(included, level + 1, true)
    }
  }
}
