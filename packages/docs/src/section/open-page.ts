import type { Page, Section } from '@pith-mcp/cleaner'
import { attempt } from '#base/attempt'
import { type Location, parseLocation } from '#fetch/protocol/parse-location'
import type { PageReader } from '../page/page-reader.ts'
import type { ReadPage } from '../page/read-page.ts'
import { exactSection, pickSection } from './pick-section.ts'

/** A page, and its requested section, if one was named. */
export interface OpenedSection extends ReadPage {
  section: Section | undefined
}

/** The page at a URL or path. */
export async function openPage(reader: PageReader, url: string): Promise<ReadPage> {
  return reader.read(parseLocation(url))
}

/**
 * The page at a URL and the section with a name. An absent or empty name stands for the fragment of
 * the URL, or with `byFragment: false` for the whole page.
 */
export async function openSection(
  reader: PageReader,
  url: string,
  name: string | undefined,
  { byFragment = true }: { byFragment?: boolean } = {},
): Promise<OpenedSection> {
  const location = parseLocation(url)
  const requested = name?.trim() || (byFragment ? location.fragment : undefined)
  const read = await reader.read(location)
  return requested === undefined
    ? { ...read, section: undefined }
    : withSection(reader, location, read, requested)
}

/** The page at a URL; as HTML if that has more of the named sections than its Markdown. */
export async function openWithSections(
  reader: PageReader,
  url: string,
  names: readonly string[],
): Promise<ReadPage> {
  const location = parseLocation(url)
  const read = await reader.read(location)
  const missing = isMarkdown(read) ? countMissing(read.page, names) : 0
  const html = missing > 0 ? await readHtml(reader, location) : undefined
  return html && countMissing(html.page, names) < missing ? html : read
}

/**
 * The page that contains the section. The Markdown of a page may name sections differently from the
 * HTML that links point to; then the HTML is read.
 */
async function withSection(
  reader: PageReader,
  location: Location,
  read: ReadPage,
  name: string,
): Promise<OpenedSection> {
  // An exact name in the HTML takes precedence over an approximate one in the Markdown.
  const section = isMarkdown(read) ? foundBy(exactSection, read.page, name) : undefined
  if (section) return { ...read, section }
  const html = isMarkdown(read) ? await readHtml(reader, location) : undefined
  const target = html ?? read
  return { ...target, section: pickSection(target.page, name) }
}

/** The HTML of a page; undefined if it cannot be read. */
const readHtml = (reader: PageReader, location: Location): Promise<ReadPage | undefined> =>
  reader.read(location, { asHtml: true }).catch(() => undefined)

/** True for a page whose HTML may have sections that its Markdown lacks. */
const isMarkdown = ({ origin: { source } }: ReadPage): boolean =>
  source === 'negotiated' || source === 'alternate' || source === 'variant'

/** The number of names without a section. */
const countMissing = (page: Page, names: readonly string[]): number =>
  names.filter((name) => !foundBy(pickSection, page, name)).length

/** Also undefined for a title of several sections. */
const foundBy = (find: typeof exactSection, page: Page, name: string): Section | undefined =>
  attempt(() => find(page, name), undefined)
