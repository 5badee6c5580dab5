import type { SiteAdapter } from '@pith-mcp/docs'
import { type Settings, siteNames } from '../settings.ts'
import { type Outcome, openSource } from './open-source.ts'

/**
 * List the supported sites and services with their functions, or how the given sites are searched.
 */
export async function listSites(settings: Settings, names: readonly string[]): Promise<Outcome> {
  const { allSites, homeOf } = await import('@pith-mcp/docs')
  if (names.length === 0) {
    const lines = [
      'Sites, by --site or their URL:',
      ...allSites.filter(({ isAt }) => isAt).map(describe),
      '',
      'Services of many sites, recognised by the first page:',
      ...allSites.filter(({ isAt }) => !isAt).map(describe),
      '',
      'Pages of any other site are indexed locally, from its search index (Sphinx, MkDocs, mdBook,',
      'Docusaurus, VitePress, Pagefind, rustdoc), llms.txt, llms-full.txt, a sitemap or its links.',
      'Run docs-mcp sites <url> to see how a site is searched.',
    ]
    return { text: lines.join('\n'), isOk: true }
  }
  const isSite = (name: string) => siteNames.some((siteName) => siteName === name)
  const lines = await Promise.all(
    names.map((name) => lineFor(isSite(name) ? homeOf(name, settings.sites) : name, settings)),
  )
  return {
    text: lines.map(({ text }) => text).join('\n'),
    isOk: lines.every(({ isOk }) => isOk),
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

function lineFor(name: string, settings: Settings): Promise<Outcome> {
  return openSource(name, [name], { ...settings, site: [] }, async (docs) => {
    const { site } = await docs.describe(name)
    if (site?.search) return { text: `${name}: ${site.title} (${site.name})`, isOk: true }
    // The search index is known only after listing the pages.
    const { sources } = await docs.search('the', { source: name })
    const via = sources[0]?.via || 'nothing yet'
    return {
      text: `${name}: no supported search service; its pages are indexed locally, found by ${via}`,
      isOk: true,
    }
  })
}
