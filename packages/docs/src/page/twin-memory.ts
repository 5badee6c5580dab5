/** Pages without a twin after which a site is not asked for more, and for each page that had one. */
const enoughMisses = 4

export interface TwinMemory {
  /** URLs at which a page's Markdown may lie; none for a site that has none. */
  spellings(url: string): string[]
  /** What came of it: the URL that held, or nothing. */
  note(url: string, found: string | undefined): void
}

/** Which sites keep Markdown beside their pages, and how they call it. */
export function createTwinMemory(): TwinMemory {
  const hosts = new Map<string, { hits: number; misses: number; way: number | undefined }>()
  return {
    spellings(url) {
      const { hits, misses, way } = hosts.get(new URL(url).host) ?? none
      // Some sites have twins of most pages only.
      if (misses >= enoughMisses * (hits + 1)) return []
      const all = spellingsOf(url)
      return way === undefined ? all : all.slice(way, way + 1)
    },
    note(url, found) {
      const { host } = new URL(url)
      const { hits, misses, way } = hosts.get(host) ?? none
      const own = found === undefined ? -1 : spellingsOf(url).indexOf(found)
      if (own >= 0) hosts.set(host, { hits: hits + 1, misses, way: own })
      else hosts.set(host, { hits, misses: misses + 1, way })
    },
  }
}

const none = { hits: 0, misses: 0, way: undefined }

/** `page.md` for `page.html` and `page/`; and, as llms.txt has it, `.md` behind the whole name. */
function spellingsOf(url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  if (search !== '' || /\.(?:md|mdx|txt|xml|json)$/i.test(pathname)) return []
  const plain = pathname.replace(/\.x?html?$/i, '').replace(/\/(?:index)?$/, '')
  const full = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  const names = plain === '' ? ['/index', full] : [plain, full]
  return names.map((name) => `${origin}${name}.md`)
}
