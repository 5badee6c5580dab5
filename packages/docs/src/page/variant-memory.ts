/**
 * After this many pages without a Markdown variant, plus as many for each page that had one, a site
 * is no longer asked for variants.
 */
const enoughMisses = 4

export interface VariantMemory {
  /** URLs at which the Markdown of a page may be; empty for a site that has none. */
  spellings(url: string): string[]
  /** Record the URL that had the Markdown, or undefined if none had. */
  note(url: string, found: string | undefined): void
}

/** Remembers which sites have Markdown next to their pages, and under which name. */
export function createVariantMemory(): VariantMemory {
  const hosts = new Map<string, { hits: number; misses: number; spelling: number | undefined }>()
  /** Pages whose variants are being requested, by their host. */
  const asked = new Map<string, number>()
  return {
    spellings(url) {
      const { host } = new URL(url)
      const { hits, misses, spelling } = hosts.get(host) ?? none
      // Some sites have variants of most pages only.
      if (misses + (asked.get(host) ?? 0) >= enoughMisses * (hits + 1)) return []
      const all = spellingsOf(url)
      if (all.length > 0) asked.set(host, (asked.get(host) ?? 0) + 1)
      return spelling === undefined ? all : all.slice(spelling, spelling + 1)
    },
    note(url, found) {
      const { host } = new URL(url)
      const { hits, misses, spelling } = hosts.get(host) ?? none
      asked.set(host, Math.max(0, (asked.get(host) ?? 0) - 1))
      const own = found === undefined ? -1 : spellingsOf(url).indexOf(found)
      if (own >= 0) hosts.set(host, { hits: hits + 1, misses, spelling: own })
      else hosts.set(host, { hits, misses: misses + 1, spelling })
    },
  }
}

const none = { hits: 0, misses: 0, spelling: undefined }

/**
 * `page.md` for `page.html` and `page/`; and `.md` appended to the whole name, as llms.txt
 * proposes.
 */
function spellingsOf(url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  if (search !== '' || /\.(?:md|mdx|txt|xml|json)$/i.test(pathname)) return []
  const plain = pathname.replace(/\.x?html?$/i, '').replace(/\/(?:index)?$/, '')
  const full = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  const names = plain === '' ? ['/index', full] : [plain, full]
  return names.map((name) => `${origin}${name}.md`)
}
