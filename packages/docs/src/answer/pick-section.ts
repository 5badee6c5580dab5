import type { Page, Section } from '@pith-mcp/cleaner'
import { DocsError } from '../docs-error.ts'
import type { ReadPage } from '../page/page-reader.ts'
import { quoteValue } from '../quote-value.ts'
import { nearest } from './nearest.ts'

/**
 * The section a caller means: by id or another fragment of it, else by title, whatever its case,
 * punctuation or number.
 *
 * @throws {DocsError} `section_not_found` with the nearest titles.
 */
export function pickSection(page: Page, name: string): Section {
  const wanted = name.trim().replace(/^#+\s*/, '')
  const sections = page.sections.filter((section) => section.kind !== 'continuation')
  const found =
    sections.find((section) => section.id === wanted) ??
    sections.find((section) => section.aliases?.includes(wanted)) ??
    byTitle(sections, wanted)
  if (found) return found
  const names = nearest(wanted, sections, (section) => `${section.title} ${section.id}`, 5)
  throw new DocsError(
    'section_not_found',
    `The page has no section ${quoteValue(name)}.`,
    names.length > 0
      ? `Nearest: ${names.map((section) => `${quoteValue(section.title)} (${plainId(section.id)})`).join(', ')}.`
      : 'Look up the names in the table of contents.',
  )
}

function byTitle(sections: readonly Section[], wanted: string): Section | undefined {
  const key = titleKey(wanted)
  if (key === '') return undefined
  const same = sections.filter((section) => titleKey(section.title) === key)
  const alike =
    same.length > 0
      ? same
      : sections.filter((section) => unnumbered(titleKey(section.title)) === key)
  if (alike.length > 1) throw ambiguous(wanted, alike)
  return alike[0] ?? sections.find((section) => section.id.toLowerCase() === wanted.toLowerCase())
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
  return new DocsError(
    'section_not_found',
    `${sections.length} sections are called ${quoteValue(name)}.`,
    `Pass the id of one: ${shown.map((section) => plainId(section.id)).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
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
  try {
    return { ...read, section: pickSection(read.page, name) }
  } catch (error) {
    const html = isMarkdown(read) ? await readHtml().catch(() => undefined) : undefined
    if (!html) throw error
    return { ...html, section: pickSection(html.page, name) }
  }
} /** Names that no section of a page has. */
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
