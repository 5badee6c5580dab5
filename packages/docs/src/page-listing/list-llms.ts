import type { HttpClient } from '#fetch/http-client'
import { readText } from '#fetch/read-text'
import { llmsLinks, markdown } from '#formats/readers/markdown'
import type { CleanPool } from '../page/clean-pool.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'
import type { ListedPage } from './listing.ts'

const maxFiles = 60
const plainText = { accept: 'text/plain, text/markdown' }

/**
 * Pages that llms.txt names, including those of the llms.txt files it links to. `pageUrl` maps a
 * link to the URL at which the page is read.
 */
export async function listLlms(
  client: HttpClient,
  url: string,
  maxListed: number,
  isRequested: (url: string) => boolean,
  pageUrl: (url: string) => string = (href) => href,
): Promise<ListedPage[] | undefined> {
  const pending = [url]
  const seenUrls = new Set(pending)
  const pages = new Map<string, ListedPage>()
  for (let files = 0; files < maxFiles && pending.length > 0; files++) {
    const next = pending.shift() as string
    const file = await readText(client, next, plainText)
    if (!file) continue
    for (const { url: link, title, about } of llmsLinks(file.text, file.url)) {
      if (seenUrls.has(link)) continue
      seenUrls.add(link)
      const { pathname, host } = new URL(link)
      if (/\/llms(?:-[\w-]+)?\.txt$/.test(pathname)) {
        if (host === new URL(url).host && !/llms-full/.test(pathname)) pending.push(link)
      } else if (!/\.(?:json|ya?ml|pdf|png|svg|zip)$/i.test(pathname)) {
        const page = pageUrl(link)
        const location = { kind: 'web' as const, url: page }
        if (isRequested(page))
          pages.set(page, { location, stamp: '', title, text: `${title} ${about}` })
      }
    }
    if (pages.size > maxListed) break
  }
  if (pages.size === 0) return undefined
  return [...pages.values()]
}

/** `Source: https://…` or `URL: /docs/…` below the title of a page, as generators write it. */
const pageStart =
  /^#{1,2} (.{1,500})\n{1,5}((?:(?:Source|URL|Original URL) ?: ?\S{1,2000}[^\S\n]{0,9}(?:\n|$)){1,3})/gm
/** The path of a page after its title: `# Install (/docs/install)`. */
const titledPath = /^# (.{1,500}) \((\/[^\s()]{0,2000})\)[^\S\n]{0,9}$/gm

/** Where each page begins, and its text (`from`). */
function pageStarts(text: string, base: string) {
  const starts = [...text.matchAll(pageStart)].flatMap((match) => {
    const [header, title = '', lines = ''] = match
    const stated = [...lines.matchAll(/^(\w[\w ]*?) ?: ?<?([^\s<>]+)/gm)]
    const [, , href] = stated.find(([, name]) => name === 'URL') ?? stated[0] ?? []
    // The source file of a page in a repository is not the page.
    if (!href || !URL.canParse(href, base) || /\/\/raw\.githubusercontent\./.test(href)) return []
    const from = match.index + header.length
    return [{ at: match.index, from, title, url: new URL(href, base).href }]
  })
  if (starts.length > 0) return starts
  return [...text.matchAll(titledPath)].map((match) => ({
    at: match.index,
    from: match.index + match[0].length,
    title: match[1] ?? '',
    url: new URL(match[2] ?? '', base).href,
  }))
}

/** The pages of llms-full.txt, if it states where each begins. */
export async function readLlmsFull(
  client: HttpClient,
  cleaner: CleanPool,
  url: string,
  isRequested: (url: string) => boolean,
): Promise<IndexedPage[] | undefined> {
  const file = await readText(client, url, plainText)
  if (!file) return undefined
  const starts = pageStarts(file.text, file.url)
  const pages: IndexedPage[] = []
  for (const [at, { from, title, url: source }] of starts.entries()) {
    if (!isRequested(source)) continue
    const body = file.text.slice(from, starts[at + 1]?.at ?? file.text.length)
    const text = `# ${title}\n${body}`
    const page = await cleaner.clean({ text, format: markdown, url: source }).catch(() => undefined)
    if (page) pages.push(indexedPage(page, source, ''))
  }
  return pages.length > 0 ? pages : undefined
}
