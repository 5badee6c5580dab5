import type { Page } from '@pith-mcp/cleaner'

/** How many texts of a page are compared, and how many characters of each. */
const maxSamples = 6
const sampleLength = 60

/**
 * True if Markdown is that of the HTML page. Some servers answer every URL with the same text, so
 * the title and at least half of the longest texts must occur in the HTML.
 */
export function isVariantOf(page: Page, html: string): boolean {
  const pageText = letters(html.replace(/<[^<>]{0,2000}>/g, ' '))
  const title = letters(page.title)
  if (title === '' || !pageText.includes(title)) return false
  const samples = page.sections
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind === 'text' || kind === 'list')
    .map(({ markdown }) => letters(markdown).slice(0, sampleLength))
    .filter((sample) => sample !== '')
    .sort((a, b) => b.length - a.length)
    .slice(0, maxSamples)
  const found = samples.filter((sample) => pageText.includes(sample)).length
  return found * 2 >= samples.length
}

const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/&\w{1,30};/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
