import { Parser } from 'htmlparser2'
import type { IndexedPage, IndexedText } from '../search-index/search-index.ts'

/** What an index contains about a page or one of its sections. */
export interface IndexEntry {
  /** With the fragment of the section. */
  url: string
  title: string
  /** The text, or, with `isTermsOnly`, its words. */
  text: string
  isTermsOnly?: boolean
  /** Titles of the page and sections around it. */
  path?: readonly string[]
  /** Title of the page, if no earlier entry states it. */
  page?: string
  language?: string
}

/** Group entries into pages, in order. An entry without a fragment names its page. */
export function indexPages(entries: Iterable<IndexEntry>): IndexedPage[] {
  const pages = new Map<string, IndexedPage>()
  for (const {
    url,
    title,
    text,
    isTermsOnly = false,
    path = [],
    page: named,
    language,
  } of entries) {
    const at = url.indexOf('#')
    const pageUrl = at < 0 ? url : url.slice(0, at)
    const id = at < 0 ? '' : decode(url.slice(at + 1))
    const page = pages.get(pageUrl) ?? emptyPage(pageUrl, named ?? title, language)
    pages.set(pageUrl, page)
    if (id === '' && title !== '') page.title = title
    if (id !== '' && title !== '') page.headings.push({ id, title, level: 2 })
    const section: IndexedText = {
      id,
      title,
      heading: title,
      path: path.filter((name) => name !== title),
      text,
    }
    if (isTermsOnly) section.isTermsOnly = true
    page.sections.push(section)
  }
  for (const page of pages.values())
    page.sections = page.sections.filter((section) => !isOnlyNamed(section, page.sections))
  return [...pages.values()]
}

/** An entry that only names the page would rank before the section of that name. */
const isOnlyNamed = ({ id, title, text }: IndexedText, sections: readonly IndexedText[]): boolean =>
  id === '' &&
  ['', title].includes(text.trim()) &&
  sections.some((other) => other.id !== '' && other.title === title)

const emptyPage = (url: string, title: string, language: string | undefined): IndexedPage => ({
  url,
  title,
  ...(language !== undefined && { language }),
  stamp: '',
  headings: [],
  sections: [],
})

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html
  let text = ''
  const parser = new Parser(
    {
      ontext(part) {
        text += part
      },
      onclosetag(name) {
        if (/^(?:p|li|pre|h\d|tr|div)$/.test(name)) text += '\n'
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text.trim()
}
