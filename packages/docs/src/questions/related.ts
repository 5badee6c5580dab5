import type { Page } from '@pith-mcp/cleaner'
import type { PageLink } from '../common/page-links.ts'
import type { Recommendation } from '../site-search/port/site.ts'
import type { Beside, RelatedPage } from './beside.ts'

export interface Related {
  url: string
  title: string
  /** How the site orders its pages. */
  next: RelatedPage[]
  previous: RelatedPage[]
  up: RelatedPage[]
  /** From sections that are called so. */
  seeAlso: RelatedPage[]
  /** From the text, those that are linked most first. */
  linked: RelatedPage[]
  /** Pages of the same source about the same. */
  similar: RelatedPage[]
  /** Translations, each with its language tag as the title. */
  languages: RelatedPage[]
  /** Linked pages that `linked` leaves out. */
  linkedOmitted: number
  /** What the site itself recommends. */
  recommended: Recommendation[]
  /** The contents of the guide that the page belongs to. */
  guide?: string
  /** Why the site was asked in vain. */
  problem?: string
}

const mostLinked = 12
/** Of one section, which was named to see them. */
const mostOfSection = 100
const seeAlsoTitle =
  /see also|related|further reading|next steps|learn more|what.s next|more information|関連|参照|siehe auch|voir aussi|véase también|参见|另请参阅/i

/** Where to read on, from the links of a page or of one of its sections. */
export function relatedOf(
  page: Page,
  links: readonly PageLink[],
  below: ReadonlySet<string> | undefined,
  similar: readonly RelatedPage[],
  beside: Beside,
): Related {
  const byRelation = (rel: 'next' | 'previous' | 'up') => {
    const own = unique(links.filter((link) => link.rel === rel))
    return own.length > 0 ? own : [beside[rel] ?? []].flat()
  }
  const own = links.filter(
    ({ rel, section }) => rel === 'text' && (!below || below.has(section ?? '')),
  )
  const pointing = new Set(
    page.sections.filter(({ title }) => seeAlsoTitle.test(title)).map(({ id }) => id),
  )
  const seeAlso = unique(own.filter(({ section = '' }) => pointing.has(section)))
  const pageOf = ({ url }: RelatedPage) => url.split('#')[0] ?? url
  const pointed = new Set(seeAlso.map(pageOf))
  const linked = byFrequency(own.filter((link) => !pointed.has(pageOf(link))))
  const most = below ? mostOfSection : mostLinked
  const named = new Set([...seeAlso, ...linked.slice(0, most)].map(pageOf))
  return {
    url: page.url,
    title: page.title,
    next: byRelation('next'),
    previous: byRelation('previous'),
    up: byRelation('up'),
    seeAlso,
    linked: linked.slice(0, most),
    linkedOmitted: Math.max(0, linked.length - most),
    similar: similar.filter((one) => !named.has(pageOf(one))),
    languages: links
      .filter(({ rel }) => rel === 'language')
      .map(({ url, language = '' }) => ({ url, title: language })),
    recommended: beside.recommended,
    ...(beside.guide !== undefined && { guide: beside.guide }),
    ...(beside.problem !== undefined && { problem: beside.problem }),
  }
}

function unique(links: readonly PageLink[]): RelatedPage[] {
  const byUrl = new Map<string, RelatedPage>()
  for (const { url, title } of links) {
    const known = byUrl.get(url)
    if (!known || known.title === '') byUrl.set(url, { url, title })
  }
  return [...byUrl.values()]
}

/** One page may be linked by several of its fragments: the first of them stands for all. */
function byFrequency(links: readonly PageLink[]): RelatedPage[] {
  const pages = new Map<string, { link: RelatedPage; times: number }>()
  for (const { url, title } of links) {
    const page = url.split('#')[0] ?? url
    const known = pages.get(page)
    if (known) known.times++
    else pages.set(page, { link: { url, title }, times: 1 })
  }
  return [...pages.values()].sort((a, b) => b.times - a.times).map(({ link }) => link)
}
