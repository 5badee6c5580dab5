/** How sites call the Markdown of a page, by its path; undefined for pages that a rule is not about. */
const rules: readonly ((path: string) => string | undefined)[] = [
  (path) => (/\.x?html?$/i.test(path) ? path.replace(/\.x?html?$/i, '.md') : undefined),
  (path) => (path.endsWith('/') ? undefined : `${path}.md`),
  (path) => (path.endsWith('/') ? `${path.slice(0, -1)}.md` : undefined),
  (path) => (path.endsWith('/') ? `${path}index.md` : undefined),
  (path) => (path.endsWith('/') ? `${path}index.html.md` : undefined),
]

/** Pages that have to name their Markdown by a rule before it is relied on. */
const enoughNamed = 2

export interface MarkdownRules {
  /** Where the Markdown of a page lies by a rule that its site has kept to. */
  expected(url: string): string | undefined
  /** What a page names as its Markdown, if it does. */
  note(url: string, named: string | undefined): void
}

/** Rules by which the pages of a site name their Markdown: who knows one need not read the HTML. */
export function createMarkdownRules(): MarkdownRules {
  const hosts = new Map<string, number[]>()
  return {
    expected(url) {
      const { origin, pathname, host, search } = new URL(url)
      if (search !== '') return undefined
      const kept = hosts.get(host) ?? []
      const paths = rules.map((rule, at) =>
        (kept[at] ?? 0) >= enoughNamed ? rule(pathname) : undefined,
      )
      const path = paths.find((one) => one !== undefined)
      return path === undefined ? undefined : `${origin}${path}`
    },
    note(url, named) {
      const { origin, pathname, host } = new URL(url)
      const kept = hosts.get(host) ?? rules.map(() => 0)
      // A rule that was broken once is none.
      for (const [at, rule] of rules.entries()) {
        const path = rule(pathname)
        if (path === undefined) continue
        kept[at] = named === `${origin}${path}` ? (kept[at] ?? 0) + 1 : Number.NEGATIVE_INFINITY
      }
      hosts.set(host, kept)
    },
  }
}
