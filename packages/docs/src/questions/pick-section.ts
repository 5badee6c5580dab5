import type { Page, Section } from '@pith-mcp/cleaner'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { ReadPage } from '../page/page-reader.ts'
import { pathOf } from '../search-index/section-text.ts'
import { nearest } from './nearest.ts'
import { namesOf, type SectionNames } from './section-names.ts'

/**
 * The section a caller means: by id or another fragment of it, by title, whatever its case, punctuation
 * or number; else by the titles around it and its own (`Examples › CTAS`), one of its terms, what a
 * signature begins with, or the first words of its title. A name that fits several is none.
 *
 * @throws {DocsError} `section_not_found` with the nearest titles, or with those that it fits.
 */
export function pickSection(page: Page, name: string): Section {
  const found = exactSection(page, name) ?? looseSection(page, name)
  if (found) return found
  const names = nearest(
    wantedOf(name),
    sectionsOf(page),
    (section) => `${section.title} ${section.id}`,
    5,
  )
  throw new DocsError(
    'section_not_found',
    `The page has no section ${quoteValue(name)}.`,
    names.length > 0
      ? `Nearest: ${names.map((section) => `${quoteValue(section.title)} (${plainId(section.id)})`).join(', ')}.`
      : 'Look up the names in the table of contents.',
  )
}

const wantedOf = (name: string): string => name.trim().replace(/^#+\s*/, '')
const sectionsOf = (page: Page): Section[] =>
  page.sections.filter((section) => section.kind !== 'continuation')

/** By id, fragment or title. @throws {DocsError} for a title that several have */
function exactSection(page: Page, name: string): Section | undefined {
  const wanted = wantedOf(name)
  const sections = sectionsOf(page)
  return (
    sections.find((section) => section.id === wanted) ??
    sections.find((section) => section.aliases?.includes(wanted)) ??
    byTitle(sections, wanted)
  )
}

/** As people, and our own replies, name a section. @throws {DocsError} for a name that fits several */
function looseSection(page: Page, name: string): Section | undefined {
  const wanted = wantedOf(name)
  if (titleKey(wanted) === '') return undefined
  const sections = sectionsOf(page)
  const named = sections.map((section) => ({ section, names: namesOf(section) }))
  const lower = wanted.toLowerCase()
  const isSame = (one: string): boolean => one === wanted
  const isAlike = (one: string): boolean => one.toLowerCase() === lower
  const having = (kind: keyof SectionNames, test: (one: string) => boolean): Section[] =>
    named.filter(({ names }) => names[kind].some(test)).map(({ section }) => section)
  const kinds = ['terms', 'tokens', 'phrases', 'lastParts'] as const
  const tries = [
    () => byPath(page, sections, wanted),
    // `-u` is not `-U`: case counts where it tells two apart.
    ...kinds.map((kind) => () => having(kind, isSame)),
    ...(isOption(wanted)
      ? []
      : [
          ...kinds.map((kind) => () => having(kind, isAlike)),
          () => byFirstWords(sections, wanted),
        ]),
  ]
  for (const look of tries) {
    const found = look()
    if (found.length > 1) throw ambiguous(name, found)
    if (found[0]) return found[0]
  }
  return undefined
}

const isOption = (name: string): boolean => /^-/.test(name)

/** What stands between the titles of a path in replies, and between those that people write. */
const betweenTitles = /\s*[›»]\s*|\s+[>/]\s+/

/** By its title and titles around it, in order; the page's own may stand in front. */
function byPath(page: Page, sections: readonly Section[], wanted: string): Section[] {
  const written = wanted.split(betweenTitles)
  const name = written.pop()?.trim() ?? ''
  const parts = written.map(titleKey).filter(Boolean)
  const last = titleKey(name)
  if (last === '' || parts.length === 0) return []
  const isCut = /…\s*$/.test(wanted)
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const fitting = sections.filter((section) => {
    if (isOption(name) && section.title.trim() !== name && !hasTerm(section, name)) return false
    const keys = [titleKey(section.title), unnumbered(titleKey(section.title))]
    const isNamed = keys.some((key) => key === last || (isCut && key.startsWith(last)))
    if (!isNamed && !hasTerm(section, name)) return false
    const around = [page.title, ...pathOf(section, byId)].map(titleKey)
    let from = 0
    return parts.every((part) => {
      const at = around.findIndex(
        (title, index) => index >= from && (title === part || unnumbered(title) === part),
      )
      from = at + 1
      return at >= 0
    })
  })
  const exact = fitting.filter((section) => section.title.trim() === name)
  return exact.length > 0 ? exact : fitting
}

const hasTerm = (section: Section, name: string): boolean => {
  const { terms, tokens } = namesOf(section)
  return terms.includes(name) || tokens.includes(name)
}

/** By whole words that its title, or one of its terms, begins with. */
function byFirstWords(sections: readonly Section[], wanted: string): Section[] {
  const key = `${titleKey(wanted)} `
  return sections.filter((section) =>
    [section.title, ...namesOf(section).terms].some((title) => {
      const own = `${titleKey(title)} `
      return own.startsWith(key) || unnumbered(own).startsWith(key)
    }),
  )
}

function byTitle(sections: readonly Section[], wanted: string): Section | undefined {
  const key = titleKey(wanted)
  if (key === '') return onlyWritten(sections, wanted)
  // Without its dash, and in another case, an option is another one.
  if (isOption(wanted)) {
    const written = sections.filter((section) => section.title.trim() === wanted)
    if (written.length > 1) throw ambiguous(wanted, written)
    return written[0]
  }
  const same = sections.filter((section) => titleKey(section.title) === key)
  const alike =
    same.length > 0
      ? same
      : sections.filter((section) => unnumbered(titleKey(section.title)) === key)
  if (alike.length > 1) {
    // Signs tell apart what letters do not: `C` and `C++`.
    const written = onlyWritten(alike, wanted)
    if (written) return written
    throw ambiguous(wanted, alike)
  }
  return alike[0] ?? sections.find((section) => section.id.toLowerCase() === wanted.toLowerCase())
}

/** The one whose title is written exactly so. */
function onlyWritten(sections: readonly Section[], wanted: string): Section | undefined {
  const written = sections.filter((section) => section.title.trim() === wanted)
  return written.length === 1 ? written[0] : undefined
}

/** An id as it stands in a message: it may be anything in a page that means ill. */
const plainId = (id: string): string => quoteValue(id).slice(1, -1).replace(/[[\]]/g, ' ')

/** Letters and digits only; `select_for_update()` and `select for update` are the same. */
function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

const unnumbered = (key: string): string => key.replace(/^(?:\d+ )+/, '')

function ambiguous(name: string, sections: readonly Section[]): DocsError {
  const shown = sections.slice(0, 10)
  const more = sections.length - shown.length
  const isSame = sections.every(
    ({ title }) => titleKey(title) === titleKey(sections[0]?.title ?? ''),
  )
  const listed = shown.map(({ id, title }) =>
    isSame ? plainId(id) : `${quoteValue(title)} (${plainId(id)})`,
  )
  return new DocsError(
    'section_not_found',
    `${sections.length} sections ${isSame ? 'are called' : 'fit'} ${quoteValue(name)}.`,
    `Pass the id of one: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  )
}

/**
 * A page with the section that is wanted: Markdown of a page may name its sections otherwise than
 * the HTML that links lead to, which is read then.
 */
export async function pickPage(
  read: ReadPage,
  name: string,
  readHtml: () => Promise<ReadPage>,
): Promise<ReadPage & { section: Section }> {
  // A guess in the one must not win over the very name in the other.
  const known = isMarkdown(read) ? exactOf(read.page, name) : undefined
  if (known) return { ...read, section: known }
  const html = isMarkdown(read) ? await readHtml().catch(() => undefined) : undefined
  const chosen = html ?? read
  return { ...chosen, section: pickSection(chosen.page, name) }
}

/** Undefined also for a title that several have. */
function exactOf(page: Page, name: string): Section | undefined {
  try {
    return exactSection(page, name)
  } catch {
    return undefined
  }
}

/** Names that no section of a page has. */
export const lackedOf = (page: Page, names: readonly string[]): number =>
  names.filter((name) => !hasSection(page, name)).length

/** True of a page whose HTML may have sections that it lacks. */
export const isMarkdown = ({ origin: { rung } }: ReadPage): boolean =>
  rung === 'negotiated' || rung === 'alternate' || rung === 'twin'

function hasSection(page: Page, name: string): boolean {
  try {
    pickSection(page, name)
    return true
  } catch {
    return false
  }
}
