import type { Docs, SiteAdapter } from '@pith-mcp/docs'
import { openDocs } from '../open-docs.ts'
import { type Settings, siteNames } from '../settings.ts'

/** The sites and services that are known, and what each can do; or how the sites named are searched. */
export async function listSites(
  settings: Settings,
  names: readonly string[],
): Promise<{ text: string; isGood: boolean }> {
  const { allSites, homeOf } = await import('@pith-mcp/docs')
  if (names.length === 0) {
    const lines = [
      'Sites, by --site or their URL:',
      ...allSites.filter(({ isAt }) => isAt).map(describe),
      '',
      'Services that many sites have, recognised by the first page:',
      ...allSites.filter(({ isAt }) => !isAt).map(describe),
      '',
      'Any other site is searched by its own index, read here once: Sphinx, MkDocs, mdBook,',
      'Docusaurus, VitePress, Pagefind or rustdoc; llms.txt, llms-full.txt, a sitemap, its links.',
      'docs-mcp sites <url> says which it will be.',
    ]
    return { text: lines.join('\n'), isGood: true }
  }
  const isSite = (name: string) => siteNames.some((known) => known === name)
  const lines = await Promise.all(
    names.map((name) => lineFor(isSite(name) ? homeOf(name, settings.sites) : name, settings)),
  )
  return {
    text: lines.map(({ text }) => text).join('\n'),
    isGood: lines.every(({ isGood }) => isGood),
  }
}

function describe({ name, title, defaults, abilities = [], languages, filters = [] }: SiteAdapter) {
  const home = defaults['home'] ? ` ${defaults['home']}` : ''
  const can = [
    ...(name === 'aws-cn' ? [] : ['search']),
    ...(languages && languages.length > 0 ? [`${languages.length} languages`] : []),
    ...(filters.length > 0 ? [`filters ${filters.join(', ')}`] : []),
    ...abilities,
  ]
  return `  ${name.padEnd(16)} ${title}${home}: ${can.join('; ')}`
}

async function lineFor(
  name: string,
  settings: Settings,
): Promise<{ text: string; isGood: boolean }> {
  const looking = { ...settings, maxPages: 20, cache: false as const, site: [] }
  let docs: Docs | undefined
  try {
    docs = await openDocs(looking, [name], () => {}, { searchWaitMs: settings.timeout * 2_000 })
    const { site } = await docs.describe(name)
    if (site?.search) return { text: `${name}: ${site.title} (${site.name})`, isGood: true }
    // Which index it is shows only when its pages are listed.
    const { sources } = await docs.search('the', { source: name })
    const rung = sources[0]?.rung || 'nothing yet'
    return {
      text: `${name}: no search of its own that is known; its pages are searched here, found by ${rung}`,
      isGood: true,
    }
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    const text = `${name}: ${error instanceof Error ? error.message : error}${remedy}`
    return { text, isGood: false }
  } finally {
    await docs?.close()
  }
}
