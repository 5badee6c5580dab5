import type { CallOptions, Docs } from '@pith-mcp/docs'
import { findingsText } from '@pith-mcp/server-kit/run'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { amount } from '@pith-mcp/server-kit/tools'
import type { Chore, Config } from '../config.ts'
import { cacheFolder, openDocs } from '../open-docs.ts'
import { siteNames } from '../settings.ts'
import { addClient, removeClient, setUpClients } from './add-client.ts'
import { checkDocs } from './check-docs.ts'
import { diagnose } from './doctor.ts'
import { listLibraries } from './list-libraries.ts'
import { listSites } from './list-sites.ts'
import type { Outcome } from './open-source.ts'
import { createProgressLine, timeText } from './show-progress.ts'

/** Index all pages of the sources in advance. Ctrl-C keeps the pages indexed so far. */
async function runIndex(config: Config, signal: AbortSignal): Promise<Outcome> {
  const sources = sourcesOf(config, config.positionals, 'index')
  if (cacheFolder(config.settings) === undefined)
    throw new UsageError('index requires a cache. Leave out --no-cache.')
  const start = performance.now()
  const stopped = 'Stopped. The pages read so far are stored; the next run continues from there.'
  return readingAll(config, sources, signal, stopped, async (docs, call) => {
    const read = await docs.update(call)
    const lines = read.map(({ name, via, pages, sections, failed, more, problem, ignored }) => {
      const figures = `${amount(pages, 'page')}, ${amount(sections, 'section')}`
      const notes = [
        ...(failed > 0 ? [`${amount(failed, 'page')} could not be read`] : []),
        ...(more ? ['there are more pages: raise --max-pages'] : []),
        ...(ignored ? [`not read, other formats: ${ignored}`] : []),
        ...(problem ? [problem] : []),
      ]
      return `${name}: ${figures}${via ? ` (${via})` : ''}${notes.length > 0 ? `; ${notes.join('; ')}` : ''}`
    })
    const isOk = read.every(({ problem, pages }) => problem === undefined && pages > 0)
    return { text: [...lines, `${timeText(performance.now() - start)}`].join('\n'), isOk }
  })
}

/** Write all pages of the sources into one file that is served without a network. */
async function runPack(config: Config, signal: AbortSignal): Promise<Outcome> {
  const [path, ...names] = config.positionals
  if (path === undefined || !path.endsWith('.docpack'))
    throw new UsageError('pack requires a file name that ends in .docpack.')
  const sources = sourcesOf(config, names, 'pack')
  const stopped = 'Stopped. No pack was written.'
  return readingAll(config, sources, signal, stopped, async (docs, call) => {
    const { pages, failed } = await docs.writePack(path, call)
    const notes = failed > 0 ? `; ${failed} could not be read` : ''
    return {
      text: `${path}: ${amount(pages, 'page')}${notes}. Serve it with: docs-mcp ${path}`,
      isOk: pages > 0,
    }
  })
}

/** Show the progress of work on all pages; `stopped` is the text if the user ends it. */
async function readingAll(
  { settings }: Config,
  sources: readonly string[],
  signal: AbortSignal,
  stopped: string,
  work: (docs: Docs, call: CallOptions) => Promise<Outcome>,
): Promise<Outcome> {
  const docs = await openDocs(settings, sources)
  const line = createProgressLine()
  try {
    return await work(docs, { signal, onProgress: line.show })
  } catch (error) {
    if (!signal.aborted) throw error
    return { text: stopped, isOk: false }
  } finally {
    line.clear()
    await docs.close()
  }
}

async function runDoctor(config: Config): Promise<Outcome> {
  const { settings, positionals } = config
  const sites = siteNames.filter((name) => positionals.includes(name))
  const places = positionals.filter((place) => !siteNames.some((name) => name === place))
  const sources = positionals.length > 0 ? places : settings.sources
  const site = [...new Set([...settings.site, ...sites])]
  const findings = await diagnose({ ...settings, site }, sources)
  return {
    text: findingsText(findings),
    isOk: findings.every(({ isOk }) => isOk),
  }
}

function sourcesOf({ settings }: Config, names: readonly string[], command: string): string[] {
  const sources = names.length > 0 ? [...names] : settings.sources
  // A site of `--site` is also a source.
  if (sources.length === 0 && settings.site.length === 0)
    throw new UsageError(`${command} requires a source.`)
  return sources
}

export const chores: Readonly<
  Record<Chore, (config: Config, signal: AbortSignal) => Promise<Outcome>>
> = {
  index: runIndex,
  pack: runPack,
  doctor: runDoctor,
  check: checkDocs,
  setup: setUpClients,
  add: async (config) => ({ text: await addClient(config), isOk: true }),
  remove: async (config) => ({ text: await removeClient(config), isOk: true }),
  sites: ({ settings, positionals }) => listSites(settings, positionals),
  libraries: listLibraries,
}
