import { estimateTokens } from '@pith-mcp/paginator'
import { readQuery, termsOf } from '@pith-mcp/scorer'
import { letters } from '#base/letters'
import { sectionExcerpt } from '../excerpt/section-excerpt.ts'

/** A section of a page that matches. */
export interface MatchingSection {
  /** Empty for a whole page. */
  id: string
  title: string
  /** Titles of the sections around it, outermost first. */
  path: readonly string[]
  /** Its place among the sections of all pages, from 0. */
  place: number
  /** Estimated tokens of the section with its subsections, if they are known. */
  tokens?: number | undefined
  /** Its own text; absent if the page was not read. */
  text?: (() => Promise<string>) | undefined
}

/** A section as a reply shows it. */
export interface ShownSection extends Omit<MatchingSection, 'text' | 'path'> {
  path: string[]
  /** The whole section, or its beginning and its best passages; empty if it is only named. */
  text: string
  /** `text` is all of the section with its subsections. */
  isWhole: boolean
}

export interface ShownSections {
  /** Of each page, best first. */
  pages: ShownSection[][]
  /** Words of the query that no section with a text has, nor a title above it, as in the query. */
  missing: string[]
  /** Their share of the significant words of the query. */
  missingShare: number
  /** The first section with a text has nearly all words of a query by itself. */
  isFirstMet: boolean
}

/** Sections of one page with a text, and sections of all pages that are only named. */
const maxPerPage = 4
const minNames = 3
const maxNames = 8
/** The share of the tokens that is kept for names; with less for texts, no further one is looked for. */
const nameShare = 0.05
const minTokens = 80
/** Characters of a section that is shown whole, or is the first, and of parts of others. */
const wholeLength = 1_200
const partLength = 500
/** Of a text whose tokens are not known yet. */
const charactersPerToken = 4
/** Estimated tokens of the lines with titles and addresses. */
const pageTokens = 25
const sectionTokens = 12

/**
 * The best sections of all pages with a text, as many as fit into a number of estimated tokens, at
 * least one; the next ones by name.
 */
export async function showSections(
  pages: readonly { title: string; sections: readonly MatchingSection[] }[],
  queries: readonly string[],
  maxTokens: number,
): Promise<ShownSections> {
  const query = queries.join('\n')
  const reply = pages.map((): ShownSection[] => [])
  const terms = new Set<string>()
  const ranked = pages
    .flatMap(({ title, sections }, at) =>
      sections.map((section) => ({ page: title, ofPage: reply[at] ?? [], section })),
    )
    .sort((a, b) => a.section.place - b.section.place)
  const forNames = maxTokens * nameShare
  let room = maxTokens
  let names = 0
  let isFirstMet = false
  for (const { page, ofPage, section } of ranked) {
    const texts = ofPage.filter(({ text }) => text !== '').length
    const isFirst = terms.size === 0
    if (section.text && texts < maxPerPage && (isFirst || room - forNames >= minTokens)) {
      const content = await section.text()
      const lines = sectionTokens + (texts === 0 ? pageTokens : 0)
      const free = charactersPerToken * (room - forNames - lines)
      const { cost, ...shownSection } = withText(section, content, query, {
        maxLength:
          isFirst || content.length <= Math.min(wholeLength, free)
            ? wholeLength
            : Math.min(partLength, free),
        lines,
      })
      if (shownSection.text !== '' && (isFirst || cost <= room - forNames)) {
        room -= cost
        for (const term of termsOf([page, ...section.path, section.title, content].join('\n')))
          terms.add(term)
        isFirstMet ||= isFirst && queries.some((text) => missingOf(text, terms).words.length === 0)
        ofPage.push(shownSection)
        continue
      }
    }
    const name = { ...nameOf(section), text: '', isWhole: false }
    const cost =
      estimateTokens([name.id, name.title, ...name.path.slice(-1)].join(' ')) + sectionTokens
    if (names < minNames || (names < maxNames && cost <= room)) {
      ofPage.push(name)
      room -= cost
      names++
    }
  }
  const missing = queries.map((text) => missingOf(text, terms))
  const [fewest] = missing.toSorted((a, b) => a.share - b.share)
  return {
    pages: reply,
    missing: fewest?.words ?? [],
    missingShare: fewest?.share ?? 0,
    isFirstMet,
  }
}

const nameOf = ({ id, title, path, place, tokens }: MatchingSection) => ({
  id,
  title,
  path: [...path],
  place,
  tokens,
})

function withText(
  section: MatchingSection,
  content: string,
  query: string,
  { maxLength, lines }: { maxLength: number; lines: number },
) {
  const { tokens = Number.POSITIVE_INFINITY } = section
  const { text, isWhole } = sectionExcerpt(withoutTitle(section.title, content), query, maxLength)
  return {
    ...nameOf(section),
    text,
    isWhole: isWhole && estimateTokens(content) >= tokens,
    cost: estimateTokens(text) + lines,
  }
}

/** A query of which the sections shown lack less than this share of the words is met. */
const minMissingShare = 1 / 3

/** The significant words of a query that the terms lack, if they are a third of them, and their share. */
function missingOf(query: string, terms: ReadonlySet<string>): { words: string[]; share: number } {
  const telling = readQuery(query).terms.filter(({ weight }) => weight === 1)
  const lacking = new Set(
    telling
      .filter(({ term, folded = term }) => !terms.has(term) && !terms.has(folded))
      .map(({ term }) => term),
  )
  const share = lacking.size / Math.max(1, telling.length)
  if (lacking.size < minMissingShare * telling.length) return { words: [], share }
  const words = query.match(/[\p{L}\p{M}\p{N}_]+(?:[.:\-/][\p{L}\p{M}\p{N}_]+)*/gu) ?? []
  return { words: [...new Set(words)].filter((word) => lacking.has(termsOf(word)[0] ?? '')), share }
}

/** The text without a first line that only repeats the title, as a signature does. */
export function withoutTitle(title: string, text: string): string {
  const end = text.indexOf('\n')
  const isRepeated = end > 0 && letters(text.slice(0, end)).includes(letters(title))
  return isRepeated && end <= title.length + maxDecoration ? text.slice(end + 1).trimStart() : text
}

/** Characters that a repeated title may have around it: marks, a keyword, a link. */
const maxDecoration = 24
