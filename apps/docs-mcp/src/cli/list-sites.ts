import type { Docs, SiteAdapter } from '@pith-mcp/docs'
import { openDocs } from '../open-docs.ts'
import { type Settings, siteNames } from '../settings.ts'

/** The sites and services that are known, and what each can do; or how the sites named are searched. */
export async function listSites(settings: Settings, names: readonly string[]): Promise<string> {
  const { allSites, homeOf } = await import('@pith-mcp/docs')
  if (names.length === 0)
    return [
      'Sites, by --site or their URL:',
      ...allSites.filter(({ isAt }) => isAt).map(describe),
      '',
      'Services that many sites have, recognised by the first page:',
      ...allSites.filter(({ isAt }) => !isAt).map(describe),
      '',
      'Any other site is searched by its own index, read here once: Sphinx, MkDocs, mdBook,',
      'Docusaurus, VitePress, Pagefind or rustdoc; llms.txt, llms-full.txt, a sitemap, its links.',
      'docs-mcp sites <url> says which it will be.',
    ].join('\n')
  const isSite = (name: string) => siteNames.some((known) => known === name)
  const sources = names.map((name) => (isSite(name) ? homeOf(name, settings.sites) : name))
  const looking = { ...settings, maxPages: 20, cache: false as const, site: [] }
  const docs = await openDocs(looking, sources, () => {}, {
    searchWaitMs: settings.timeout * 2_000,
  })
  try {
    const lines = await Promise.all(sources.map((name) => lineFor(name, docs)))
    return lines.join('\n')
  } finally {
    await docs.close()
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

async function lineFor(name: string, docs: Docs): Promise<string> {
  try {
    const { site } = await docs.describe(name)
    if (site?.search) return `${name}: ${site.title} (${site.name})`
    // Which index it is shows only when its pages are listed.
    const { sources } = await docs.search('the', { source: name })
    const rung = sources[0]?.rung || 'nothing yet'
    return `${name}: no search of its own that is known; its pages are searched here, found by ${rung}`
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    return `${name}: ${error instanceof Error ? error.message : error}${remedy}`
  }
}
