/** Pages without a twin after which a site is not asked for more. */
const enoughMisses = 2

export interface TwinMemory {
  /** URLs at which a page's Markdown may lie; none for a site that has none. */
  spellings(url: string): string[]
  /** What came of it: the URL that held, or nothing. */
  note(url: string, found: string | undefined): void
}

/** Which sites keep Markdown beside their pages, and how they call it. */
export function createTwinMemory(): TwinMemory {
  const hosts = new Map<string, { misses: number; way: number | undefined }>()

  return {
    spellings(url) {
      const known = hosts.get(new URL(url).host)
      const all = spellingsOf(url)
      if (known?.way !== undefined) return all.slice(known.way, known.way + 1)
      return (known?.misses ?? 0) >= enoughMisses ? [] : all
    },
    note(url, found) {
      const { host } = new URL(url)
      const known = hosts.get(host) ?? { misses: 0, way: undefined }
      const way = found === undefined ? -1 : spellingsOf(url).indexOf(found)
      if (way >= 0) hosts.set(host, { misses: 0, way })
      else hosts.set(host, { misses: known.misses + 1, way: undefined })
    },
  }
}

/** `page.md` for `page.html` and `page/`; and, as llms.txt has it, `.md` behind the whole name. */
function spellingsOf(url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  if (search !== '' || /\.(?:md|mdx|txt|xml|json)$/i.test(pathname)) return []
  const plain = pathname.replace(/\.x?html?$/i, '').replace(/\/(?:index)?$/, '')
  const full = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  const names = plain === '' ? ['/index', full] : [plain, full]
  return names.map((name) => `${origin}${name}.md`)
}
