/** Addresses of pages; names may hold anything. */
export function serverPath(unit: string): string {
  return `/servers/${encodeURIComponent(wellFormed(unit))}`
}

/** The names are in the query: what tools are called may not be in a path. */
export const toolPage = '/tools/tool'

export function toolPath({ server, name }: { server: string; name: string }): string {
  return pathWith(toolPage, { server, name })
}

/** A page with what is set of a query. */
export function pathWith(page: string, query: Record<string, string | undefined>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return set.length > 0 ? `${page}?${new URLSearchParams(set)}` : page
}

/** Halves of characters are no text, and cannot be in an address. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')
