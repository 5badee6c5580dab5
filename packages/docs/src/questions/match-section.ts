import type { Page, Section } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { type Ranked, readQuery, termsOf } from '@pith-mcp/scorer'
import { createSource, readExcerpt, type Source } from '../excerpt/excerpt.ts'
import { type Bounds, excerptWithin } from '../excerpt/passages.ts'
import type { Deps } from './deps.ts'

/** A section that matches: whole, or its beginning and its best passages. */
export interface SectionMatch {
  id: string
  title: string
  /** Titles of the sections around it, outermost first. */
  path: string[]
  score: number
  reasons: string[]
  /** Its heading as Markdown; empty if it has none. */
  heading: string
  /** What is shown, with `…` for what is left out, and its estimated tokens. */
  markdown: string
  tokens: number
  /** `markdown` is all of the section with its subsections. */
  isWhole: boolean
  /** Characters and estimated tokens of the section with its subsections. */
  total: number
  totalTokens: number
  codeBlocksOmitted: number
  /** Terms of the query that occur only in parts of the section that are not shown. */
  missing: string[]
  /** Of a section that is read from its start: where it goes on. */
  nextPage?: string | undefined
  /** Code blocks are in full: code was requested, or words of the query occur only in code. */
  includesCode: boolean
}

export interface MatchOptions extends Pick<Deps, 'cap'> {
  page: Page
  subtree: readonly Section[]
  /** Those of `subtree` that are read. */
  part: readonly Section[]
  query: string
  hit: Pick<Ranked<Section>, 'terms' | 'item'>
  includesCode: boolean
  /** It is read from its start. */
  isTitled: boolean
}

export type Match = Omit<SectionMatch, 'id' | 'title' | 'path' | 'score' | 'reasons'>

/** What is shown of a section, within the bounds. */
export function matchIn(
  {
    page,
    subtree,
    part,
    query,
    hit: { terms, item },
    includesCode: isCode,
    cap,
    isTitled,
  }: MatchOptions,
  bounds: Bounds,
): Match {
  const includesCode = isCode || isInCodeOnly(part, tellingTerms(query, terms))
  const source = createSource(`${page.url}#${item.id}`, part, includesCode)
  const { content, codeBlocksOmitted } = source
  const all = part === subtree ? content : createSource(page.url, subtree, includesCode).content
  const [heading = ''] = /^#{1,6} .*\n+/.exec(content.text) ?? []
  const { markdown, missing, isEnd, nextPage } = isTitled
    ? beginningOf(source, heading, bounds, cap)
    : passagesIn(content.text.slice(heading.length), query, {
        ...bounds,
        maxLength: Math.max(1, bounds.maxLength - heading.length),
      })
  return {
    heading: heading.trim(),
    markdown,
    tokens: estimateTokens(markdown),
    isWhole: isEnd && content.text.length === all.text.length,
    total: all.text.length,
    totalTokens: estimateTokens(all.text),
    codeBlocksOmitted,
    missing,
    includesCode,
    ...(nextPage !== undefined && part === subtree && { nextPage }),
  }
}

interface Shown extends Pick<SectionMatch, 'markdown' | 'missing' | 'nextPage'> {
  isEnd: boolean
}

function beginningOf(source: Source, heading: string, bounds: Bounds, cap: number): Shown {
  const { markdown, nextPage } = readExcerpt(source, bounds, cap, bounds.maxTokens)
  const text = markdown.slice(heading.length)
  return { markdown: text, missing: [], isEnd: nextPage === undefined, nextPage }
}

function passagesIn(text: string, query: string, bounds: Bounds): Shown {
  const { text: markdown, missing, isWhole } = excerptWithin(text, query, bounds)
  return { markdown, missing, isEnd: isWhole }
}

/** The significant of the matched terms of a query; without such terms, also those of question words. */
function tellingTerms(query: string, matched: readonly string[]): ReadonlySet<string> {
  const asking = readQuery(query).terms.filter(
    ({ term, weight }) => weight < 1 && !/^\d+$/.test(term),
  )
  const weak = new Set(asking.map(({ term }) => term))
  const telling = matched.filter((term) => !weak.has(term))
  return new Set(telling.length > 0 ? telling : matched)
}

function isInCodeOnly(sections: readonly Section[], terms: ReadonlySet<string>): boolean {
  const prose = new Set<string>()
  const code = new Set<string>()
  for (const { title, blocks } of sections) {
    for (const term of termsOf(title)) prose.add(term)
    for (const { kind, markdown } of blocks)
      for (const term of termsOf(markdown)) (kind === 'code' ? code : prose).add(term)
  }
  return [...terms].some((term) => code.has(term) && !prose.has(term))
}
