import { type Block, type Page, toMarkdown } from '@pith-mcp/cleaner'
import { estimateTokens } from '@pith-mcp/paginator'
import { termsOf } from '@pith-mcp/scorer'
import type { HttpClient } from '#fetch/http-client'
import { type Location, parseLocation } from '#fetch/protocol/parse-location'
import { readText } from '#fetch/read-text'
import { DocsError } from '#formats/docs-error'
import { llmsLinks } from '#formats/readers/markdown'
import type { SourceIndexer } from '../indexer/source-indexer.ts'
import { isShell } from '../page/is-shell.ts'
import type { PageReader } from '../page/page-reader.ts'
import type { SourceLister } from '../page-listing/source-lister.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import type { Deps } from './deps.ts'
import { openIndexes } from './search.ts'

/** What an agent may meet at a source, each with whether text is lost by it. */
const findingKinds = {
  'page that cannot be read': true,
  'page drawn by scripts, without text': true,
  'Markdown that lacks text of its page': true,
  'section over 5,000 tokens without headings in it': true,
  'page that robots.txt forbids': false,
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
  /** Pages that were read. */
  pages: number
  /** True if the source has more pages. */
  more: boolean
  /** Files of other formats, by extension: `5 .pdf`. */
  ignored?: string
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
/** A block of a page is lost if this share of its sequences of three terms is. */
const minLost = 0.8
/** Terms. Shorter blocks occur anywhere. */
const minTerms = 4

/** Reads up to `pages` pages of a source, and what a site has for agents. Default 40. */
export async function checkSource(
  { client, indexes, lister, reader }: Deps,
  source: string,
  { pages: maxPages = 40, signal, onProgress }: CallOptions & { pages?: number } = {},
): Promise<CheckAnswer> {
  const findings = new Map<FindingKind, Finding['places']>()
  const find = (kind: FindingKind, url: string, detail = ''): void => {
    const places = findings.get(kind) ?? []
    if (!places.some((place) => place.url === url)) places.push({ url, detail })
    findings.set(kind, places)
  }
  const [indexer] = await openIndexes(indexes, source)
  if (!indexer) throw new DocsError('no_source', 'There is no such source.', 'Name a source.')
  const site = indexer.source.kind === 'site' ? indexer.source.url : undefined
  const { via, more, ignored, places, forbidden } = await placesOf(indexer, lister, signal)
  if (forbidden > 0) find('page that robots.txt forbids', source, `${forbidden} pages`)
  // Read for the reason why it has no pages.
  const all = places.length + forbidden > 0 ? places : [parseLocation(site ?? source)]
  const chosen = spread(all, maxPages)
  const isAnswering = site !== undefined && (await reader.isAnswering(site))
  const sizes: number[] = []
  let withMarkdown = 0
  const progress = { total: chosen.length, sections: 0, characters: 0 }
  for (const [done, place] of chosen.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, ...progress })
    const { tokens, hasMarkdown } = await checkPage(reader, place, isAnswering, find)
    sizes.push(...tokens)
    withMarkdown += hasMarkdown ? 1 : 0
  }
  if (site !== undefined && sizes.length > 0) await checkSite(client, site, find)
  sizes.sort((a, b) => a - b)
  return {
    ...{ name: indexer.source.name, via, pages: sizes.length },
    more: more || all.length > chosen.length,
    ...(ignored && { ignored }),
    ...(site !== undefined && { withMarkdown }),
    tokens: { median: sizes[sizes.length >> 1] ?? 0, max: sizes.at(-1) ?? 0 },
    findings: [...findings].map(([kind, places]) => ({
      ...{ kind, isFault: findingKinds[kind], places },
    })),
  }
}

/** All pages that are listed. Those of a pack or a library are in its index. */
async function placesOf(indexer: SourceIndexer, lister: SourceLister, signal = never) {
  const { source, index } = indexer
  if (source.kind === 'pack' || source.kind === 'library') {
    const { via, more } = await indexer.refresh({ signal, fresh: true })
    const places = [...(await index.pages()).keys()].map(parseLocation)
    return { via, more, ignored: undefined, places, forbidden: 0 }
  }
  const listing = await lister.list(source, signal)
  const { via, more, ignored, entries, links = [], pages = [], forbidden = 0 } = listing
  const places = new Map(
    [
      ...[...entries, ...links].map(({ location }) => location),
      ...pages.map(({ url }) => parseLocation(url)),
    ].map((location) => [location.kind === 'web' ? location.url : location.path, location]),
  )
  return { via, more, ignored, places: [...places.values()], forbidden }
}

const never = new AbortController().signal

/** Items at even distances, the first one included. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as T)

type Find = (kind: FindingKind, url: string, detail?: string) => void

/** No tokens of a page that cannot be read. */
async function checkPage(reader: PageReader, place: Location, isAnswering: boolean, find: Find) {
  const url = place.kind === 'web' ? place.url : reader.nameOf(place)
  try {
    const forms = place.kind === 'web' ? await reader.forms(place.url, isAnswering) : undefined
    const { page } = forms ?? (await reader.read(place))
    if (isShell(page)) find('page drawn by scripts, without text', url)
    else if (page.title === '') find('page without a title', url)
    if (forms?.markdown.length === 0) find('page without Markdown', url)
    for (const twin of forms?.markdown ?? []) checkTwin(page, twin.page, twin.finalUrl, find)
    return { tokens: [checkSections(page, url, find)], hasMarkdown: forms?.markdown.length }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    const isShellPage = code === 'unsupported_type' && message.includes('has no text')
    if (isShellPage) find('page drawn by scripts, without text', url)
    else find('page that cannot be read', url, message)
    return { tokens: [] }
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

/** Whether Markdown has each block of its page: a paragraph, a list, a table, or code. */
function checkTwin(page: Page, twin: Page, url: string, find: Find): void {
  const there = new Set(sequencesOf(termsOf(toMarkdown(twin))))
  const blocks = page.sections.flatMap((section) => section.blocks)
  const lost = blocks.filter(({ markdown }) => {
    const sequences = sequencesOf(termsOf(markdown))
    const missing = sequences.filter((sequence) => !there.has(sequence))
    return sequences.length > 0 && missing.length >= minLost * sequences.length
  })
  const [first] = lost
  if (!first) return
  const sum = (some: readonly Block[]) =>
    some.reduce((length, { markdown }) => length + markdown.length, 0)
  const share = Math.ceil((sum(lost) / sum(blocks)) * 100)
  const beginning = first.markdown.replace(/\s+/g, ' ').slice(0, 60)
  const detail = `${lost.length} of ${blocks.length} blocks, ${share} % of the text, such as “${beginning}…”`
  find('Markdown that lacks text of its page', url, detail)
}

const sequencesOf = (terms: readonly string[]): string[] =>
  terms.length < minTerms
    ? []
    : terms.slice(2).map((term, at) => `${terms[at]} ${terms[at + 1]} ${term}`)

/** What a site has for agents next to its pages. */
async function checkSite(client: HttpClient, siteUrl: string, find: Find): Promise<void> {
  const names = new Set([new URL('llms.txt', siteUrl).href, new URL('/llms.txt', siteUrl).href])
  const texts = await Promise.all([...names].map((name) => readText(client, name)))
  const files = texts.filter((file) => file !== undefined)
  const file =
    files.find(({ text, url }) => llmsLinks(text, url).length > 0) ??
    files.find(({ text }) => text.trimStart().startsWith('#'))
  if (!file) find('no llms.txt', [...names].join(' and '))
  else if (file.text.length > maxLlms)
    find('llms.txt over 100,000 characters', file.url, file.text.length.toLocaleString('en'))
  else if (llmsLinks(file.text, file.url).length === 0) find('llms.txt without links', file.url)
  const endpoint = new URL('/mcp', siteUrl).href
  if ((await hasEndpoint(client, endpoint)) === false) find('no MCP endpoint at /mcp', endpoint)
}

/** Undefined if it is not known: the answer took too long. */
async function hasEndpoint(client: HttpClient, url: string): Promise<boolean | undefined> {
  const accept = 'application/json, text/event-stream'
  try {
    const { bytes } = await client.request(url, { body: initialize, accept, timeoutMs: 5_000 })
    return new TextDecoder().decode(bytes).includes('"protocolVersion"')
  } catch (error) {
    const { code, status = 0 } = error as Partial<DocsError>
    return code === 'timeout' ? undefined : status === 401 || status === 403
  }
}

const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'pith-docs', version: '0' },
  },
})
