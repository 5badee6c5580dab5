import type { Page } from '@pith-mcp/cleaner'
import { letters } from '#base/letters'

/** How many texts of a page are compared, and how many characters of each. */
const maxSamples = 6
const sampleLength = 60

/**
 * True if Markdown is that of the HTML page. Some servers answer every URL with the same text, so
 * the title and at least half of the longest texts must occur in the HTML.
 */
export function isVariantOf(page: Page, html: string): boolean {
  const pageText = lettersOf(html.replace(/<[^<>]{0,2000}>/g, ' '))
  const title = lettersOf(page.title)
  if (title === '' || !pageText.includes(title)) return false
  const samples = page.sections
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind === 'text' || kind === 'list')
    .map(({ markdown }) => lettersOf(markdown).slice(0, sampleLength))
    .filter((sample) => sample !== '')
    .sort((a, b) => b.length - a.length)
    .slice(0, maxSamples)
  const count = samples.filter((sample) => pageText.includes(sample)).length
  return count * 2 >= samples.length
}

/**
 * True if Markdown lacks nothing of the HTML that a reader cites: it has all its code, in the same
 * order and without other placeholders, and as many headings and entries.
 */
export function keepsAll(markdown: Page, html: Page): boolean {
  if (titlesIn(markdown) < titlesIn(html)) return false
  const text = codeIn(markdown).join('')
  let at = 0
  for (const code of codeIn(html)) {
    const index = text.indexOf(code, at)
    if (index < 0) return false
    at = index + code.length
  }
  return true
}

/** Sections below the title of a page, which Markdown may have in its front matter only. */
const titlesIn = ({ title, sections }: Page): number =>
  sections.filter((section) => section.title !== '' && section.title !== title).length

/** Code without its fences and white space. */
const codeIn = ({ sections }: Page): string[] =>
  sections
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind === 'code')
    .map(({ markdown }) => markdown.split('\n').slice(1, -1).join('').replace(/\s+/g, ''))

const lettersOf = (text: string): string =>
  letters(text.normalize('NFKC').replace(/&\w{1,30};/g, ' '))
