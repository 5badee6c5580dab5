import { access, constants, mkdir } from 'node:fs/promises'
import type { Docs, SearchedSource } from '@pith-mcp/docs'
import { openDocs } from '../open-docs.ts'
import { cacheFolder, type Settings } from '../settings.ts'
import { version } from '../version.ts'

export interface Finding {
  isGood: boolean
  text: string
}

/** Check what a server needs, and each source. */
export async function diagnose(settings: Settings, sources: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [nodeVersion(), await cache(settings), ...proxies(settings)]
  for (const source of sources) findings.push(await check(source, { ...settings, site: [] }))
  for (const site of settings.site) findings.push(await check(site, { ...settings, site: [site] }))
  if (sources.length + settings.site.length === 0)
    findings.push({
      isGood: true,
      text: 'no sources: pages are read by URL, and sites are searched by naming them',
    })
  return findings
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isGood = major > 20 || (major === 20 && minor >= 19)
  return {
    isGood,
    text: `docs-mcp ${version} on Node ${process.versions.node}${isGood ? '' : ': it needs 20.19 or later'}`,
  }
}

async function cache(settings: Settings): Promise<Finding> {
  const folder = cacheFolder(settings)
  if (folder === undefined)
    return { isGood: true, text: 'no cache: pages are kept while the server runs' }
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { isGood: false, text: `the cache ${folder} cannot be written: ${code}; see --cache` }
  }
  const notices: string[] = []
  const docs = await openDocs(settings, [], (text) => notices.push(text))
  await docs.close()
  const [problem] = notices
  return problem ? { isGood: false, text: problem } : { isGood: true, text: `cache in ${folder}` }
}

function proxies({ proxy }: Settings): Finding[] {
  const named = [...new Set([proxy.http, proxy.https])].filter((url) => url !== undefined)
  // A password may stand in the URL.
  const shown = named.map((url) => url.replace(/\/\/[^@/]*@/, '//…@'))
  return shown.length > 0 ? [{ isGood: true, text: `proxy ${shown.join(', ')}` }] : []
}

/** A source is good if a page of it can be had; how it will be searched is said, and not done. */
async function check(source: string, settings: Settings): Promise<Finding> {
  let docs: Docs | undefined
  try {
    const named = settings.site.length > 0 ? [] : [source]
    docs = await openDocs({ ...settings, maxPages: 20, cache: false }, named, () => {}, {
      searchWaitMs: settings.timeout * 2_000,
    })
    const { sources } = await docs.search('the')
    const [found] = sources
    const problem = found?.problem
    if (found?.site && found.rung === found.site.name)
      return { isGood: found.site.problem === undefined, text: `${source}: ${asked(found)}` }
    if (!found || problem !== undefined || found.pages === 0)
      return { isGood: false, text: `${source}: ${problem ?? 'no page could be read'}` }
    const failed = found.site ? `; ${asked(found)}` : ''
    const size = found.more ? 'at least 20 pages' : `${found.pages} pages`
    return { isGood: true, text: `${source}: ${size}, searched by ${found.rung}${failed}` }
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    return {
      isGood: false,
      text: `${source}: ${error instanceof Error ? error.message : error}${remedy}`,
    }
  } finally {
    await docs?.close()
  }
}

/** What the search of the site itself said. */
function asked({ site }: SearchedSource): string {
  return site?.problem === undefined
    ? `${site?.name} answers`
    : `${site.name} failed: ${site.problem}`
}
