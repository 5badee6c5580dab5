import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { Docs, IndexProgress } from '@pith-mcp/docs'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { type CommandForm, withCommands } from '@pith-mcp/server-kit/tools'
import type { Config, Question } from '../config.ts'
import { openDocs } from '../open-docs.ts'
import { projectFolder } from '../project-folder.ts'
import { renderFound } from '../render/render-found.ts'
import { renderRelated } from '../render/render-related.ts'
import { renderSearch } from '../render/render-search.ts'
import { renderContent, renderSection } from '../render/render-section.ts'
import { renderTable } from '../render/render-table.ts'
import { renderGuide, renderToc } from '../render/render-toc.ts'
import { unfenced } from '../render/reply-text.ts'
import { siteNames } from '../settings.ts'
import type { Outcome } from './open-source.ts'

/** Answer one question of the command line, as text or JSON. Not OK: nothing matches. */
export async function runVerb(
  verb: Question,
  config: Config,
  onProgress: (progress: IndexProgress) => void,
): Promise<Outcome> {
  const [place, ...words] = config.positionals
  if (place === undefined) throw new UsageError(`${verb} requires a page or source.`)
  if (verb === 'content' && words.length > 0)
    throw new UsageError(`content takes a single page; remove ${JSON.stringify(words[0])}.`)
  if (verb === 'section' && words.length === 0 && !place.includes('#'))
    throw new UsageError('section requires a section. Pass its name, or page#section.')
  const { sites, query } = sitesNamed(place, words, config)
  if (sites.length > 0 && verb !== 'search')
    throw new UsageError(`${verb} requires the URL of a page of ${sites.join(', ')}.`)
  const { location, sources } =
    sites.length > 0 ? { location: '', sources: [] } : placesOf(place, verb, config)
  const docs = await openDocs({ ...config.settings, site: sites }, sources, undefined, patient)
  try {
    const input = sites.length > 0 ? query : words.join(' ')
    const [json, text, isOk = true] = await answers[verb](docs, location, input, config, onProgress)
    return { text: config.json ? JSON.stringify(json, null, 2) : forShell(text, verb), isOk }
  } catch (error) {
    if (error instanceof Error && 'remedy' in error)
      Object.assign(error, { remedy: forShell(`${error.remedy}`, verb) })
    throw error
  } finally {
    await docs.close()
  }
}

/** Where the page is, and the sources to open: also a page named on the command line. */
function placesOf(place: string, verb: Question, config: Config) {
  const local = !/^(?:https?|file):/i.test(place)
  const path = local ? resolve(place) : place
  const pageSource = sourceOf(path, local)
  const otherSources =
    verb === 'search' ? [] : [...(config.source ? [config.source] : []), ...config.settings.sources]
  if (isLibrary(place) && !existsSync(pageSource) && projectFolder(config.settings, otherSources))
    return { location: place, sources: [] }
  // A page of a pack or of another source is not a file in the current folder.
  const isThere = !local || existsSync(pageSource) || otherSources.length === 0
  const location = isThere ? path : place
  const sources = [...new Set([...(isThere ? [pageSource] : []), ...otherSources])]
  return { location, sources }
}

/** A name, with a version or without, or a page of it; what ends like a file is one. */
const isLibrary = (place: string): boolean =>
  /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[^/]+(?:\/.*)?)?(?:#.*)?$/.test(place) &&
  (place.indexOf('@', 1) > 0 ||
    !/\.(?:x?html?|mdx?|txt|rst|zip|tgz|tar|gz|docpack)(?:#|$)/.test(place))

/** `search aws words` or `search --site aws words`: the name stands for the site's URL. */
function sitesNamed(
  place: string,
  words: readonly string[],
  { settings, serverFlags }: Config,
): { sites: Config['settings']['site']; query: string } {
  const isPlace = /^(?:https?|file):/i.test(place) || existsSync(place)
  const site = siteNames.find((name) => name === place)
  if (isPlace) return { sites: [], query: words.join(' ') }
  if (site !== undefined) return { sites: [site], query: words.join(' ') }
  const sites = serverFlags.includes('--site') ? settings.site : []
  return { sites, query: [place, ...words].join(' ') }
}

/** On the command line a complete answer is better than an early one. */
const patient = { searchWaitMs: Number.POSITIVE_INFINITY }

const page = (verb: Question, ...words: string[]): CommandForm => ({
  command: `docs-mcp ${verb}`,
  words: ['url', ...words],
})

const forms: Readonly<Record<string, CommandForm>> = {
  search_in_doc: page('find', 'query'),
  search_table: page('table', 'query'),
  get_doc_toc: page('toc', 'section'),
  get_doc_section: page('section', 'section'),
  get_doc_content: page('content'),
}

/** The flags of the parameters that replies name. */
const flags: Readonly<Record<string, string>> = {
  page: '--page',
  include_code_blocks: '--code',
  max_length: '--max-length',
  max_results: '--max-results',
  max_tokens: '--max-tokens',
  max_rows: '--max-results',
  max_sections: '--max-results',
}

/** The reply is written for a model: its calls and parameters, here as commands and flags. */
const forShell = (text: string, verb: Question): string =>
  unfenced(text, (notes) =>
    withCommands(notes, forms, flags, `docs-mcp ${verb}`)
      .replace(/: include_code_blocks=true\]/g, ': --code]')
      .replace(/\blanguage="([^"]+)"\]/g, '--language $1]'),
  )

/** `page.html#part` is a section of `page.html`, unless a file has exactly that name. */
function sourceOf(location: string, local: boolean): string {
  return local && !existsSync(location) ? location.replace(/#[^/\\]*$/, '') : location
}

type Answer = (
  docs: Docs,
  location: string,
  words: string,
  config: Config,
  onProgress: (progress: IndexProgress) => void,
) => Promise<[answer: unknown, text: string, isFound?: boolean]>

const answers: Readonly<Record<Question, Answer>> = {
  async search(docs, location, query, config, onProgress) {
    const { maxResults = 10, maxTokens, wording, headings, language, filters } = config
    const answer = await docs.search([query, ...wording], {
      maxTokens,
      includeHeadings: headings,
      language,
      filters,
      onProgress,
      maxResults,
      source: isNamed(location) ? location : undefined,
    })
    const hits = answer.hits.map((hit) => ({ ...hit, url: fromHere(hit.url, location) }))
    return [
      { ...answer, hits },
      renderSearch({ ...answer, hits }, { readsOne: true }),
      hits.length > 0,
    ]
  },
  async find(docs, location, query, config) {
    const options = { ...readOptions(config), maxSections: config.maxResults }
    const answer = await docs.find(location, query, options)
    return [answer, renderFound(answer), answer.sections.length > 0]
  },
  async table(docs, location, query, { maxResults }) {
    const answer = await docs.searchTable(location, query, { maxRows: maxResults })
    return [answer, renderTable(answer), answer.matches > 0]
  },
  async related(docs, location, section) {
    const answer = await docs.related(location, section || undefined)
    return [answer, renderRelated(answer, section || undefined)]
  },
  async toc(docs, location, below, { page }) {
    const section = below || undefined
    const guide = docs.isContents(location)
      ? await docs.contents(location, { below: section, page })
      : undefined
    if (guide) return [guide, renderGuide(guide, section)]
    const answer = await docs.toc(location, { section, page })
    return [answer, renderToc(answer, section)]
  },
  async section(docs, location, name, config) {
    const answer = await docs.section(location, name || undefined, readOptions(config))
    return [answer, renderSection(answer, config.code)]
  },
  async content(docs, location, _words, config) {
    const answer = await docs.content(location, readOptions(config))
    return [answer, renderContent(answer, config.code)]
  },
}

/** The name of a library; the places of other sources are absolute. */
const isNamed = (location: string): boolean =>
  location !== '' && !/^(?:https?|file):/i.test(location) && !isAbsolute(location)

/** A page of a folder as the next command finds it: relative to the current folder if it is below. */
function fromHere(url: string, location: string): string {
  if (/^https?:/i.test(url) || isAbsolute(url) || isNamed(location)) return url
  const path = join(location, url)
  const below = relative('.', path)
  return /^\.\.(?:[\\/]|$)/.test(below) || isAbsolute(below) ? path : below || url
}

const readOptions = ({ code, maxLength, page, startIndex }: Config) => ({
  includeCodeBlocks: code,
  maxLength,
  page,
  startIndex,
})
