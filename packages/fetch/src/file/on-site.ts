/** A name with dots whose last part is no extension of a page, `localhost`, or a name with a port. */
const hostName =
  /^(?:(?:[a-z0-9-]{1,63}\.){1,10}(?!(?:html?|mdx?|php|aspx?|jsp|js|txt)(?:[:/?]|$))[a-z-]{2,24}(?::\d{1,5})?|localhost|[\w.-]{1,253}:\d{1,5})(?=[/?]|$)/i

/**
 * The URL for an address as links of a site write it: `/guide/start`, `guide/start`,
 * `docs.example.org/guide/start`, `//docs.example.org/guide/start`. Undefined for a path without a
 * host if there is not exactly one site.
 */
export function onSite(path: string, sites: readonly string[]): string | undefined {
  const [site, ...otherSites] = sites.map((url) => new URL(url))
  const address = path.replace(/^\/\//, '')
  const isNamed = address !== path || hostName.test(address)
  const [host = ''] = address.split(/[/?]/, 1)
  const ofSource = [...(site ? [site] : []), ...otherSites].find((url) => url.host === host)
  if (ofSource || isNamed) {
    const url = `${ofSource?.protocol ?? 'https:'}//${address}`
    return URL.canParse(url) ? new URL(url).href : undefined
  }
  if (!site || otherSites.some((otherSite) => otherSite.host !== site.host)) return undefined
  return URL.canParse(path, site.href) ? new URL(path, site).href : undefined
}
