/** Addresses of pages; names may hold anything. */
export function serverPath(unit: string): string {
  return `/servers/${encodeURIComponent(unit)}`
}

export function toolPath(tool: { server: string; name: string }): string {
  return `/tools/${encodeURIComponent(tool.server)}/${encodeURIComponent(tool.name)}`
}

/** A page with what is set of a query. */
export function pathWith(page: string, query: Record<string, string | undefined>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return set.length > 0 ? `${page}?${new URLSearchParams(set)}` : page
}
