import type { Page } from '@pith-mcp/cleaner'

/** Texts of a page that are compared, and how much of each. */
const mostSamples = 6
const sampleLength = 60

/**
 * Whether Markdown is that of a page. Some servers answer everything with the same text, so its title
 * has to stand in the page, and so has most of what it says.
 */
export function isTwinOf(page: Page, html: string): boolean {
  const said = letters(html.replace(/<[^<>]{0,2000}>/g, ' '))
  const title = letters(page.title)
  if (title === '' || !said.includes(title)) return false
  const samples = page.sections
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind === 'text' || kind === 'list')
    .map(({ markdown }) => letters(markdown).slice(0, sampleLength))
    .filter((sample) => sample !== '')
    .sort((a, b) => b.length - a.length)
    .slice(0, mostSamples)
  const found = samples.filter((sample) => said.includes(sample)).length
  return found * 2 >= samples.length
}

const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/&\w{1,30};/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
