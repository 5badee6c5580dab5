import { noSiteSearch, type SiteDeps } from './query-site-search.ts'

/** How a source is searched. */
export interface SourceDescription {
  /** Name in answers. */
  name: string
  /**
   * The site or service of the source: its name, the name of its search, and whether it has one.
   */
  site?: { name: string; title: string; search: boolean }
  /** How pages were listed for the local index; empty before the first listing. */
  via: string
}

/** How a source is searched. Fetches at most its first page. */
export async function describe(
  { indexes, sites }: SiteDeps,
  source: string,
): Promise<SourceDescription> {
  const [open] = await indexes.open(source)
  if (!open) throw noSiteSearch(source, sites.off)
  const found = await open.site()
  const listing = await open.index.state('listing')
  return {
    name: open.source.name,
    ...(found && {
      site: {
        name: found.adapter.name,
        title: found.adapter.title,
        search: found.site.search !== undefined,
      },
    }),
    via: listing === undefined ? '' : String((JSON.parse(listing) as { via: string }).via),
  }
}
