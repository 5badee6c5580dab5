/**
 * How sites derive the path of a page's Markdown from that of the page; undefined if a rule does
 * not apply.
 */
const rules: readonly ((path: string) => string | undefined)[] = [
  (path) => (/\.x?html?$/i.test(path) ? path.replace(/\.x?html?$/i, '.md') : undefined),
  (path) => (path.endsWith('/') ? undefined : `${path}.md`),
  (path) => (path.endsWith('/') ? `${path.slice(0, -1)}.md` : undefined),
  (path) => (path.endsWith('/') ? `${path}index.md` : undefined),
  (path) => (path.endsWith('/') ? `${path}index.html.md` : undefined),
]

/** Pages that must confirm a rule before it is used. */
const enoughNamed = 2

export interface MarkdownRules {
  /** The URL of a page's Markdown by a rule that the site has followed so far. */
  expected(url: string): string | undefined
  /** Record the Markdown URL that a page names, or undefined if it names none. */
  note(url: string, named: string | undefined): void
}

/**
 * Learns the rule by which a site names the Markdown of its pages, so that the HTML need not be
 * read first.
 */
export function createMarkdownRules(): MarkdownRules {
  const hosts = new Map<string, number[]>()
  return {
    expected(url) {
      const { origin, pathname, host, search } = new URL(url)
      if (search !== '') return undefined
      const cached = hosts.get(host) ?? []
      const paths = rules.map((rule, at) =>
        (cached[at] ?? 0) >= enoughNamed ? rule(pathname) : undefined,
      )
      const path = paths.find((one) => one !== undefined)
      return path === undefined ? undefined : `${origin}${path}`
    },
    note(url, named) {
      const { origin, pathname, host } = new URL(url)
      const cached = hosts.get(host) ?? rules.map(() => 0)
      // One page that contradicts a rule disables it.
      for (const [at, rule] of rules.entries()) {
        const path = rule(pathname)
        if (path === undefined) continue
        cached[at] = named === `${origin}${path}` ? (cached[at] ?? 0) + 1 : Number.NEGATIVE_INFINITY
      }
      hosts.set(host, cached)
    },
  }
}
