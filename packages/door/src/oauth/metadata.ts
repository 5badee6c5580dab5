/** What clients ask for before they sign in. RFC 9728. */
export interface Metadata {
  /** Where what is at a path is described. */
  metadataUrl(path: string): string
  /** What is described at a path; `undefined` where nothing is. */
  metadataAt(path: string): object | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
/** Ours under which clients come, beside that of the resource. */
const ownPath = '/mcp'
const profileName = /^\/([a-zA-Z0-9][\w-]{0,39})$/

/**
 * Of a resource, and of its profiles one step below. Its address is the configured one, never that of
 * a request. A profile that is not there is described too, so that nobody learns which are.
 */
export function createMetadata(
  resource: string,
  issuer: string,
  scopes: readonly string[],
): Metadata {
  const base = resource.replace(/\/$/, '')
  const { origin, pathname } = new URL(base)
  const basePath = pathname === '/' ? '' : pathname
  const below = (path: string, under: string): string | undefined => {
    if (path === under || path === `${under}/`) return ''
    return path.startsWith(under) ? profileName.exec(path.slice(under.length))?.[0] : undefined
  }
  return {
    metadataUrl(path) {
      const suffix = below(path, ownPath) ?? below(path, basePath) ?? ''
      return `${origin}${wellKnown}${basePath}${suffix}`
    },
    metadataAt(path) {
      if (!path.startsWith(wellKnown)) return undefined
      const rest = path.slice(wellKnown.length)
      const suffix = rest === '' ? '' : (below(rest, basePath) ?? below(rest, ownPath))
      if (suffix === undefined) return undefined
      return {
        resource: suffix === '' ? resource : `${base}${suffix}`,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      }
    },
  }
}
