import type { Chore, Config } from '../config.ts'
import { openDocs } from '../open-docs.ts'
import { cacheFolder, siteNames, UsageError } from '../settings.ts'
import { addClient } from './add-client.ts'
import { diagnose } from './doctor.ts'
import { listSites } from './list-sites.ts'
import { createProgressLine, timeText } from './show-progress.ts'

const notice = (text: string): void => void process.stderr.write(`docs-mcp: ${text}\n`)

/** What is said at the end, and whether all went well. */
export interface Outcome {
  text: string
  isGood: boolean
}

export const runChore = (chore: Chore, config: Config, signal: AbortSignal): Promise<Outcome> =>
  chores[chore](config, signal)

/** Read all pages of the sources, so that searches need not wait. Ctrl-C keeps what was read. */
async function runIndex(config: Config, signal: AbortSignal): Promise<Outcome> {
  const sources = sourcesOf(config, config.positionals, 'index')
  if (cacheFolder(config.settings) === undefined)
    throw new UsageError('index: nothing is kept without a cache; leave out --no-cache.')
  const docs = await openDocs(config.settings, sources, notice)
  const line = createProgressLine()
  const start = performance.now()
  try {
    const read = await docs.update({ signal, onProgress: line.show })
    line.clear()
    const lines = read.map(({ name, rung, pages, sections, failed, more, problem }) => {
      const figures = `${pages.toLocaleString('en-US')} pages, ${sections.toLocaleString('en-US')} sections`
      const notes = [
        ...(failed > 0 ? [`${failed} pages could not be read`] : []),
        ...(more ? ['there are more: --max-pages'] : []),
        ...(problem ? [problem] : []),
      ]
      return `${name}: ${figures}${rung ? ` (${rung})` : ''}${notes.length > 0 ? `; ${notes.join('; ')}` : ''}`
    })
    const isGood = read.every(({ problem, pages }) => problem === undefined && pages > 0)
    return { text: [...lines, `${timeText(performance.now() - start)}`].join('\n'), isGood }
  } catch (error) {
    line.clear()
    if (!signal.aborted) throw error
    return {
      text: 'Stopped. What was read is kept; the next run goes on from there.',
      isGood: false,
    }
  } finally {
    await docs.close()
  }
}

/** One file with all pages of the sources, to be served without a network. */
async function runPack(config: Config, signal: AbortSignal): Promise<Outcome> {
  const [path, ...names] = config.positionals
  if (path === undefined || !path.endsWith('.docpack'))
    throw new UsageError('pack: name the file first; it has to end in .docpack.')
  const sources = sourcesOf(config, names, 'pack')
  const docs = await openDocs(config.settings, sources, notice)
  const line = createProgressLine()
  try {
    const { pages, failed } = await docs.writePack(path, { signal, onProgress: line.show })
    line.clear()
    const notes = failed > 0 ? `; ${failed} could not be read` : ''
    return {
      text: `${path}: ${pages.toLocaleString('en-US')} pages${notes}. Serve it with: docs-mcp ${path}`,
      isGood: pages > 0,
    }
  } catch (error) {
    line.clear()
    if (!signal.aborted) throw error
    return { text: 'Stopped; no pack was written.', isGood: false }
  } finally {
    await docs.close()
  }
}

async function runDoctor(config: Config): Promise<Outcome> {
  const { settings, positionals } = config
  const named = siteNames.filter((name) => positionals.includes(name))
  const places = positionals.filter((place) => !siteNames.some((name) => name === place))
  const sources = positionals.length > 0 ? places : settings.sources
  const site = [...new Set([...settings.site, ...named])]
  const findings = await diagnose({ ...settings, site }, sources)
  return {
    text: findings.map(({ isGood, text }) => `${isGood ? '✓' : '✗'} ${text}`).join('\n'),
    isGood: findings.every(({ isGood }) => isGood),
  }
}

const runAdd = async (config: Config): Promise<Outcome> => ({
  text: await addClient(config),
  isGood: true,
})

function sourcesOf({ settings }: Config, names: readonly string[], command: string): string[] {
  const sources = names.length > 0 ? [...names] : settings.sources
  // A site that is named is a source, too.
  if (sources.length === 0 && settings.site.length === 0)
    throw new UsageError(`${command}: name a source.`)
  return sources
}

async function runSites({ settings, positionals }: Config): Promise<Outcome> {
  return listSites(settings, positionals)
}

const chores: Readonly<Record<Chore, (config: Config, signal: AbortSignal) => Promise<Outcome>>> = {
  index: runIndex,
  pack: runPack,
  doctor: runDoctor,
  add: runAdd,
  sites: runSites,
}
