/** The path of a server's page. Names may contain any character. */
export function serverPath(unit: string): string {
  return `/servers/${encodeURIComponent(wellFormed(unit))}`
}

/** The names are in the query, since names of tools may not be valid in a path. */
export const toolPage = '/tools/tool'

export function toolPath({ server, name }: { server: string; name: string }): string {
  return pathWith(toolPage, { server, name })
}

/** A page with the query parameters that have a value. */
export function pathWith(page: string, query: Record<string, string | undefined>): string {
  const set = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  return set.length > 0 ? `${page}?${new URLSearchParams(set)}` : page
}

/** Replaces lone surrogates, which cannot be encoded in a URL. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')

/**
 * The prefix of all addresses behind a proxy that strips it: empty, or `/prefix`. Scripts are one
 * folder below the page.
 */
export const basePath: string = basePathOf(import.meta.url)

export function basePathOf(script: string): string {
  const { protocol, pathname } = new URL('..', script)
  return /^https?:$/.test(protocol) ? pathname.replace(/\/$/, '') : ''
}

/** The path of a page below the base; `/` if it is not below it. */
export function pathBelow(base: string, pathname: string): string {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/'
}
