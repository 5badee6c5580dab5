import type { Page, Section } from '@pith-mcp/cleaner'
import { nearest } from '#fetch/protocol/nearest'
import { DocsError, quoteValue } from '#formats/docs-error'
import { pathOf } from '../search-index/section-text.ts'
import { definedTerms } from './defined-terms.ts'
import { namesOf } from './section-names.ts'

/**
 * The section with a name: by id or another fragment; by title, ignoring case, punctuation and
 * numbers; by the titles of parent sections and its own (`Examples › CTAS`); by one of its terms,
 * the start of a signature, or the first words of its title; or a term that is defined inside a
 * section. An ambiguous name is an error.
 *
 * @throws {DocsError} `section_not_found` with the nearest titles, or with the candidates.
 */
export function pickSection(page: Page, name: string): Section {
  const match = exactSection(page, name) ?? looseSection(page, name)
  if (match) return match
  const names = nearest(
    requestedSections(name),
    [...sectionsOf(page), ...definedTerms(page)],
    (section) => `${section.title} ${section.id}`,
    5,
  )
  throw new DocsError(
    'section_not_found',
    `The page has no section named ${quoteValue(name)}.`,
    names.length > 0
      ? `Nearest: ${names.map((section) => `${quoteValue(section.title)} (${plainId(section.id)})`).join(', ')}.`
      : 'Read the table of contents for the names of sections.',
  )
}

const requestedSections = (name: string): string => name.trim().replace(/^#+\s*/, '')
const sectionsOf = (page: Page): Section[] =>
  page.sections.filter((section) => section.kind !== 'continuation')

/** By id, fragment or title. @throws {DocsError} for a title of several sections. */
export function exactSection(page: Page, name: string): Section | undefined {
  const requested = requestedSections(name)
  const sections = sectionsOf(page)
  return (
    sections.find((section) => section.id === requested) ??
    sections.find((section) => section.aliases?.includes(requested)) ??
    byTitle(sections, requested)
  )
}

/**
 * By the forms that people and replies use.
 *
 * @throws {DocsError} for a name that matches several sections.
 */
function looseSection(page: Page, name: string): Section | undefined {
  const requested = requestedSections(name)
  if (titleKey(requested) === '') return undefined
  const sections = sectionsOf(page)
  const terms = definedTerms(page)
  const lower = requested.toLowerCase()
  const isSame = (candidate: string): boolean => candidate === requested
  const isAlike = (candidate: string): boolean => candidate.toLowerCase() === lower
  const names = new Map([...sections, ...terms].map((section) => [section, namesOf(section)]))
  const having = (group: readonly Section[], test: (name: string) => boolean) =>
    (['terms', 'tokens', 'phrases', 'lastParts'] as const).map(
      (kind) => () => group.filter((section) => names.get(section)?.[kind].some(test)),
    )
  // A section wins over a term that is defined inside one, and an exact match over one that ignores
  // case: `-u` is not `-U`.
  const tries = [
    () => terms.filter(({ id }) => id === requested),
    () => byPath(page, [...sections, ...terms], requested),
    ...[sections, terms].flatMap((group) => having(group, isSame)),
    ...(isOption(requested) ? [] : [sections, terms]).flatMap((group) => [
      ...having(group, isAlike),
      () => byFirstWords(group, requested),
    ]),
  ]
  for (const look of tries) {
    const matches = look()
    if (matches.length > 1) throw ambiguous(name, matches)
    if (matches[0]) return matches[0]
  }
  return undefined
}

const isOption = (name: string): boolean => /^-/.test(name)

/** Separators of titles in replies, and the ones that people write. */
const betweenTitles = /\s*[›»]\s*|\s+[>/]\s+/

/** By its title and the titles around it, in order; the page title may come first. */
function byPath(page: Page, sections: readonly Section[], requested: string): Section[] {
  const name = requested.split(betweenTitles).pop()?.trim() ?? ''
  const last = titleKey(name)
  if (last === '' || name === requested) return []
  const path = titleKey(requested)
  const isCut = /…\s*$/.test(requested)
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const fitting = sections.filter((section) => {
    const isTerm = hasTerm(section, name)
    if (isOption(name) && section.title.trim() !== name && !isTerm) return false
    const keys = [titleKey(section.title), unnumbered(titleKey(section.title))]
    if (isTerm || (isCut && keys.some((key) => key.startsWith(last)))) keys.push(last)
    const around = [page.title, ...pathOf(section, byId)].map(titleKey)
    return keys.some((key) => isPath(path, [...around, key]))
  })
  const exact = fitting.filter((section) => section.title.trim() === name)
  return exact.length > 0 ? exact : fitting
}

/** True if a path consists of the last title and of others before it; titles may have separators. */
function isPath(path: string, titles: readonly string[]): boolean {
  let rest = ` ${path}`
  for (const [at, title] of titles.toReversed().entries()) {
    const end = [title, unnumbered(title)].find((form) => form !== '' && rest.endsWith(` ${form}`))
    if (end === undefined && at === 0) return false
    rest = rest.slice(0, rest.length - (end === undefined ? 0 : end.length + 1))
    if (rest === '') return at > 0
  }
  return false
}

const hasTerm = (section: Section, name: string): boolean => {
  const { terms, tokens } = namesOf(section)
  return terms.includes(name) || tokens.includes(name)
}

/** By whole words at the start of its title or of one of its terms. */
function byFirstWords(sections: readonly Section[], requested: string): Section[] {
  const key = `${titleKey(requested)} `
  return sections.filter((section) =>
    [section.title, ...namesOf(section).terms].some((title) => {
      const titleStart = `${titleKey(title)} `
      return titleStart.startsWith(key) || unnumbered(titleStart).startsWith(key)
    }),
  )
}

function byTitle(sections: readonly Section[], requested: string): Section | undefined {
  const key = titleKey(requested)
  if (key === '') return onlyWritten(sections, requested)
  // An option with another case or without its dash is a different option.
  if (isOption(requested)) {
    const exactMatches = sections.filter((section) => section.title.trim() === requested)
    if (exactMatches.length > 1) throw ambiguous(requested, exactMatches)
    return exactMatches[0]
  }
  const words = sections.filter((section) => !isOption(section.title))
  const same = words.filter((section) => titleKey(section.title) === key)
  const alike =
    same.length > 0 ? same : words.filter((section) => unnumbered(titleKey(section.title)) === key)
  if (alike.length > 1) {
    // Punctuation distinguishes names such as `C` and `C++`.
    const exactMatch = onlyWritten(alike, requested)
    if (exactMatch) return exactMatch
    throw ambiguous(requested, alike)
  }
  return (
    alike[0] ?? sections.find((section) => section.id.toLowerCase() === requested.toLowerCase())
  )
}

/** The only section with exactly this title. */
function onlyWritten(sections: readonly Section[], requested: string): Section | undefined {
  const exactMatches = sections.filter((section) => section.title.trim() === requested)
  return exactMatches.length === 1 ? exactMatches[0] : undefined
}

/** An id for a message; a hostile page may contain any text as an id. */
const plainId = (id: string): string => quoteValue(id).slice(1, -1).replace(/[[\]]/g, ' ')

/** Letters and digits only, so `select_for_update()` equals `select for update`. */
function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

const unnumbered = (key: string): string => key.replace(/^(?:\d+ )+/, '')

function ambiguous(name: string, sections: readonly Section[]): DocsError {
  const firstSections = sections.slice(0, 10)
  const more = sections.length - firstSections.length
  const isSame = sections.every(
    ({ title }) => titleKey(title) === titleKey(sections[0]?.title ?? ''),
  )
  const labels = firstSections.map(({ id, title }) =>
    isSame ? plainId(id) : `${quoteValue(title)} (${plainId(id)})`,
  )
  return new DocsError(
    'section_not_found',
    `${sections.length} sections ${isSame ? 'are named' : 'match'} ${quoteValue(name)}.`,
    `Pass the id of one of them: ${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  )
}
