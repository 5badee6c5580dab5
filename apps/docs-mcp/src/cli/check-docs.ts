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
  'page that robots.txt forbids': 'Allow it, if agents that follow robots.txt should read it.',
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
  const [source, count = '40', extra] = positionals
  const pages = /^\d+$/.test(count) ? Number(count) : 0
  if (source === undefined || extra !== undefined || pages < 1 || pages > 2_000)
    throw new UsageError('check requires a source, and takes a number of pages from 1 to 2000.')
  const docs = await openDocs({ ...settings, cache: false }, [source]).catch((error) => {
    // Not a fault of the documentation.
    throw 'remedy' in error ? new UsageError(`check: ${error.message} ${error.remedy}`) : error
  })
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

function textOf(answer: CheckAnswer): string {
  const { name, via, pages, more, ignored, withMarkdown, tokens, findings } = answer
  const sorted = findings.toSorted((a, b) => Number(b.isFault) - Number(a.isFault))
  const faults = findings.filter(({ isFault }) => isFault).length
  return [
    `${name}: ${amount(pages, 'page')} read${more ? ', of more' : ''}${via ? `, found by ${via}` : ''}.`,
    ...(ignored ? [`Not read, other formats: ${ignored}.`] : []),
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
        ? 'No fault was found.'
        : `Agents lose text here: ${amount(faults, 'kind')} of faults (✗).`,
  ].join('\n')
}
