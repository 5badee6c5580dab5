import type { CheckAnswer, FindingKind } from '@pith-mcp/docs'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { amount } from '@pith-mcp/server-kit/tools'
import type { Config } from '../config.ts'
import { openDocs } from '../open-docs.ts'
import type { Outcome } from './open-source.ts'
import { createProgressLine } from './show-progress.ts'

const remedies: Readonly<Record<FindingKind, string>> = {
  'page that cannot be read': 'Mend the link or the page, or take it out of the list.',
  'page drawn by scripts, without text':
    'Render it at build time, or publish its text as Markdown next to it.',
  'Markdown that lacks text of its page':
    'Write it from the same source as the page, with tabs, tables and included files.',
  'section over 5,000 tokens without headings in it':
    'Add headings, each with an id: an agent then reads the part that it needs.',
  'page without a title': 'Add a title and a first heading: results of a search show them.',
  'page without Markdown':
    'Publish page.md next to page.html, or send it for Accept: text/markdown.',
  'no llms.txt': 'List the pages in /llms.txt, as - [Title](url): description.',
  'llms.txt over 100,000 characters':
    'Link to an llms.txt of each part: clients cut what is longer.',
  'llms.txt without links': 'Write each page as - [Title](url): description.',
  'no MCP endpoint at /mcp':
    'Serve it with docs-mcp --http behind /mcp: agents then search, and read sections.',
}

const maxShown = 5

/** What an agent gets from a site or folder; fails if text is lost. */
export async function checkDocs(config: Config, signal: AbortSignal): Promise<Outcome> {
  const { settings, positionals } = config
  const [source, count = '40'] = positionals
  const pages = Number(count)
  if (source === undefined || !Number.isSafeInteger(pages) || pages < 1 || pages > 2_000)
    throw new UsageError('check requires a source, and takes a number of pages from 1 to 2000.')
  // Of a site, as many pages are read as looked at; a folder is listed whole.
  const maxPages = URL.canParse(source) ? pages : settings.maxPages
  const docs = await openDocs({ ...settings, maxPages, cache: false }, [source])
  const line = createProgressLine()
  try {
    const answer = await docs.check(source, { pages, signal, onProgress: line.show })
    const isOk = answer.pages > 0 && answer.findings.every(({ isFault }) => !isFault)
    return { text: textOf(answer), isOk }
  } catch (error) {
    if (!signal.aborted) throw error
    return { text: 'Stopped. Nothing was written.', isOk: false }
  } finally {
    line.clear()
    await docs.close()
  }
}

function textOf({ name, via, pages, more, withMarkdown, tokens, findings }: CheckAnswer): string {
  const sorted = findings.toSorted((a, b) => Number(b.isFault) - Number(a.isFault))
  const faults = findings.filter(({ isFault }) => isFault).length
  return [
    `${name}: ${amount(pages, 'page')} read${more ? ', of more' : ''}${via ? `, found by ${via}` : ''}.`,
    `A page has ${tokens.median.toLocaleString('en')} tokens in the median, the largest ${tokens.max.toLocaleString('en')}.`,
    withMarkdown === undefined
      ? 'Files: Markdown forms, llms.txt and an MCP endpoint were not looked for.'
      : `${withMarkdown} of them have Markdown.`,
    ...sorted.flatMap(({ kind, isFault, places }) => [
      '',
      `${isFault ? '✗' : '–'} ${places.length > 1 ? `${places.length} × ` : ''}${kind}`,
      ...places
        .slice(0, maxShown)
        .map(({ url, detail }) => `    ${url}${detail ? `: ${detail}` : ''}`),
      ...(places.length > maxShown ? [`    and ${places.length - maxShown} more`] : []),
      `  ${remedies[kind]}`,
    ]),
    '',
    pages === 0
      ? 'No page could be read.'
      : faults === 0
        ? 'Agents lose no text here.'
        : `Agents lose text by ${amount(faults, 'kind')} of findings (✗).`,
  ].join('\n')
}
