/** Reads the search index of one generator. */
export interface PublishedIndexReader {
  /** Name of the generator, as replies show it. */
  generator: string
  /** Matches pages of the generator. */
  mark: RegExp
  /** What the index says; undefined if it is missing or of an unsupported kind. */
  read: (site: Site) => Promise<Entry[] | undefined>
}

/**
 * A page or a place in it, its title, and other words to find the page by; both may be HTML. The
 * terms are of `termsOf`.
 */
export type Entry = readonly [
  url: string,
  title: string,
  words?: string | undefined,
  terms?: readonly string[],
]

export interface PublishedPage {
  url: string
  title: string
  text: string
  /** Terms of `termsOf` in addition to those of the text. */
  terms: readonly string[]
}

export interface Site {
  /** A page of the site, and its HTML. */
  url: string
  html: string
  /** Folders that may be the root of the documentation: that of the page and its parents. */
  roots: string[]
  /** A text file of the site; undefined if it is missing. */
  text: (url: string) => Promise<string | undefined>
  /** The HTML of another page. */
  page: (url: string) => Promise<string | undefined>
}

/** The first of the files that exists, below the first of the roots that has it. */
export async function firstFile(
  { text }: Site,
  roots: Iterable<string>,
  names: readonly string[],
): Promise<{ root: string; content: string } | undefined> {
  for (const root of new Set(roots))
    for (const name of names) {
      const content = await text(root + name)
      if (content !== undefined) return { root, content }
    }
  return undefined
}

/** The folders that patterns find in the HTML of a site, then those of its page. */
export const namedRoots = ({ url, html, roots }: Site, ...patterns: RegExp[]): string[] => [
  ...patterns
    .map((pattern) => pattern.exec(html)?.[1])
    .filter((root) => root !== undefined)
    .map((root) => new URL((root || '.').replace(/\/?$/, '/'), url).href),
  ...roots,
]

/** Characters about one page that are kept. */
const maxWords = 200_000

/** The pages, each with the words of all entries about it. */
export function proposedBy(entries: readonly Entry[]): PublishedPage[] {
  const pages = new Map<string, PublishedPage>()
  for (const [place, title, words = '', terms = []] of entries) {
    const [url = '', fragment] = place.split('#')
    const page = pages.get(url) ?? { url, title: '', text: '', terms }
    pages.set(url, page)
    // An entry without a fragment is about the whole page.
    if (page.title === '' && fragment === undefined) page.title = withoutTags(title).trim()
    if (page.text.length < maxWords) page.text += `${withoutTags(title)}\n${withoutTags(words)}\n`
  }
  return [...pages.values()]
}

/** Without tags and entities, which are not words. */
const withoutTags = (html: string): string =>
  html.replace(/<\/?[a-z][^<>]{0,500}>|&(?:#\d{1,7}|[a-z]{2,9});/g, ' ')
