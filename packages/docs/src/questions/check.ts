import { type Page, toMarkdown } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { termsOf } from '@pith-mcp/scorer'
import type { HttpClient } from '#fetch/http-client'
import { parseLocation } from '#fetch/protocol/parse-location'
import { readText } from '#fetch/read-text'
import { DocsError } from '#formats/docs-error'
import { llmsLinks } from '#formats/readers/markdown'
import { isShell } from '../page/is-shell.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Deps } from './deps.ts'
import { openIndexes } from './search.ts'

/** What an agent may meet at a source, each with whether text is lost by it. */
const findingKinds = {
  'page that cannot be read': true,
  'page drawn by scripts, without text': true,
  'Markdown that lacks text of its page': true,
  'section over 5,000 tokens without headings in it': true,
  'page without a title': false,
  'page without Markdown': false,
  'no llms.txt': false,
  'llms.txt over 100,000 characters': true,
  'llms.txt without links': true,
  'no MCP endpoint at /mcp': false,
} as const

/** What was found, in words. */
export type FindingKind = keyof typeof findingKinds

/** A kind of thing that was found, with the places and what they have. */
export interface Finding {
  kind: FindingKind
  /** Whether an agent loses text by it. */
  isFault: boolean
  places: { url: string; detail: string }[]
}

/** What an agent gets from a source. */
export interface CheckAnswer {
  /** Name of the source in answers. */
  name: string
  /** How its pages were found; empty if they could not be listed. */
  via: string
  /** Pages that were looked at. */
  pages: number
  /** True if the source has more pages. */
  more: boolean
  /** Of those that have Markdown: how many. Undefined for files. */
  withMarkdown?: number
  /** Estimated tokens of a page: the median and the largest. */
  tokens: { median: number; max: number }
  findings: Finding[]
}

/** Tokens of a section's own text: what no request of a section gets smaller. */
const maxTokens = 5_000
/** Characters: clients and checkers cut there. */
const maxLlms = 100_000
/** Shares of the words of a page that its Markdown may lack: tabs and buttons have some. */
const maxLost = 0.05

/** Reads up to `pages` pages of a source, and what a site has for agents. Default 40. */
export async function checkSource(
  { client, indexes, reader }: Deps,
  source: string,
  { pages: maxPages = 40, signal, onProgress }: CallOptions & { pages?: number } = {},
): Promise<CheckAnswer> {
  const findings = new Map<FindingKind, Finding['places']>()
  const find = (kind: FindingKind, url: string, detail = ''): void => {
    findings.set(kind, [...(findings.get(kind) ?? []), { url, detail }])
  }
  const [indexer] = await openIndexes(indexes, source)
  if (!indexer) throw new DocsError('no_source', 'There is no such source.', 'Name a source.')
  const { via, more, problem } = await indexer.refresh({ signal, fresh: true })
  if (problem) find('page that cannot be read', source, problem.message)
  const listed = [...(await indexer.index.pages()).keys()]
  const urls = spread(listed, maxPages)
  const sizes: number[] = []
  let withMarkdown = 0
  for (const [done, url] of urls.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total: urls.length, sections: 0, characters: 0 })
    const checked = await checkPage(reader, url, find)
    if (checked) sizes.push(checked.tokens)
    if (checked?.hasMarkdown) withMarkdown++
  }
  const isSite = indexer.source.kind === 'site'
  if (indexer.source.kind === 'site') await checkSite(client, indexer.source.url, find)
  sizes.sort((a, b) => a - b)
  return {
    ...{ name: indexer.source.name, via, pages: urls.length },
    more: more || listed.length > urls.length,
    ...(isSite && { withMarkdown }),
    tokens: { median: sizes[Math.floor(sizes.length / 2)] ?? 0, max: sizes.at(-1) ?? 0 },
    findings: [...findings].map(([kind, places]) => ({
      ...{ kind, isFault: findingKinds[kind], places },
    })),
  }
}

/** Items at even distances, the first one included. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as T)

type Find = (kind: FindingKind, url: string, detail?: string) => void

/** Undefined for a page that cannot be read. */
async function checkPage(reader: Deps['reader'], url: string, find: Find) {
  try {
    const location = parseLocation(url)
    const forms = location.kind === 'web' ? await reader.forms(location.url) : undefined
    const { page } = forms ?? (await reader.read(location))
    if (isShell(page)) find('page drawn by scripts, without text', url)
    else if (page.title === '') find('page without a title', url)
    if (forms?.markdown.length === 0) find('page without Markdown', url)
    for (const twin of forms?.markdown ?? []) checkTwin(page, twin.page, twin.finalUrl, find)
    return { tokens: checkSections(page, url, find), hasMarkdown: forms?.markdown.length }
  } catch (error) {
    find('page that cannot be read', url, error instanceof Error ? error.message : '')
    return undefined
  }
}

/** Tokens of a page. */
function checkSections({ sections }: Page, url: string, find: Find): number {
  let tokens = 0
  for (const section of sections) {
    const own = estimateTokens(toMarkdown(section))
    tokens += own
    const place = `${url}#${section.id}`
    if (own > maxTokens)
      find(
        'section over 5,000 tokens without headings in it',
        place,
        `${own.toLocaleString('en')} tokens`,
      )
  }
  return tokens
}

/** Whether Markdown has the words and the code of its page, as often. */
function checkTwin(page: Page, twin: Page, url: string, find: Find): void {
  const left = new Map<string, number>()
  for (const term of termsOf(toMarkdown(twin))) left.set(term, (left.get(term) ?? 0) + 1)
  const lost: string[] = []
  let words = 0
  for (const word of toMarkdown(page).split(/[\s|]+/)) {
    const terms = termsOf(word)
    const missing = terms.filter((term) => (left.get(term) ?? 0) <= 0)
    for (const term of terms) left.set(term, (left.get(term) ?? 0) - 1)
    if (terms.length > 0) words++
    const isLost = missing.length > 0 && missing.length === terms.length
    if (isLost) lost.push(word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  }
  const share = lost.length / Math.max(1, words)
  if (share <= maxLost) return
  const some = [...new Set(lost)].filter(Boolean).slice(0, 5).join(', ')
  const detail = `${Math.round(share * 100)} % of the words, such as ${some}`
  find('Markdown that lacks text of its page', url, detail)
}

/** What a site has for agents next to its pages. */
async function checkSite(client: HttpClient, siteUrl: string, find: Find): Promise<void> {
  const names = [
    ...new Set([new URL('llms.txt', siteUrl).href, new URL('/llms.txt', siteUrl).href]),
  ]
  const files = await Promise.all(names.map((name) => readText(client, name)))
  const file = files.find((found) => found !== undefined)
  if (!file) find('no llms.txt', names.join(' and '))
  else if (file.text.length > maxLlms)
    find('llms.txt over 100,000 characters', file.url, file.text.length.toLocaleString('en'))
  else if (llmsLinks(file.text, file.url).length === 0) find('llms.txt without links', file.url)
  const endpoint = new URL('/mcp', siteUrl).href
  const answers = await client
    .request(endpoint, { body: initialize, accept: 'application/json, text/event-stream' })
    .then(({ type }) => type === 'application/json' || type === 'text/event-stream')
    .catch(() => false)
  if (!answers) find('no MCP endpoint at /mcp', endpoint)
}

const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'pith-docs', version: '0' },
  },
})
