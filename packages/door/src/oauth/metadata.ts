import type { Route } from '../routes/route.ts'
/** What clients ask for before they sign in. RFC 9728. */
export interface Metadata {
  /** Where what is at a path is described. */
  metadataUrl(path: string): string
  /** What is described at a path; `undefined` where nothing is. */
  metadataAt(path: string): object | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
/** Ours under which clients come; that of the resource may have more in front. */
const ownPath = '/mcp'
const profileName = /^\/([a-zA-Z0-9][\w-]{0,39})$/

/**
 * The address below which profiles have theirs. One that is not where clients come has none: what
 * is below it may be another's.
 */
export function profilesBelow(resource: string): string | undefined {
  const base = resource.replace(/\/$/, '')
  return new URL(base).pathname.endsWith(ownPath) ? base : undefined
}

/**
 * Of a resource, and of its profiles one step below. Its address is the configured one, never that of
 * a request. A profile that is not there is described too, so that nobody learns which are.
 */
export function createMetadata(
  resource: string,
  issuer: string,
  scopes: readonly string[],
): Metadata {
  const base = profilesBelow(resource)
  const { origin, pathname } = new URL(resource)
  const basePath = pathname.replace(/\/$/, '')
  /** What stands behind one of our addresses: nothing, or a profile. */
  const below = (path: string): string | undefined => {
    for (const under of [basePath, ownPath]) {
      if (path === under || path === `${under}/`) return ''
      if (under === '' || !path.startsWith(under)) continue
      const [suffix] = profileName.exec(path.slice(under.length)) ?? []
      if (suffix !== undefined) return base === undefined ? '' : suffix
    }
    return undefined
  }
  return {
    metadataUrl: (path) => `${origin}${wellKnown}${basePath}${below(path) ?? ''}`,
    metadataAt(path) {
      if (!path.startsWith(wellKnown)) return undefined
      const rest = path.slice(wellKnown.length)
      const suffix = rest === '' ? '' : below(rest)
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

/** Tells clients where they can sign in, for whoever asks. */
export function metadataRoute(metadata: Metadata): Route {
  return {
    name: 'oauth-metadata',
    matches: (path) => metadata.metadataAt(path) !== undefined,
    scope: 'public',
    methods: ['GET', 'HEAD'],
    replies: 'data',
    // Clients that are pages ask from ports of their own.
    origin: 'names',
    handle({ url = '' }, response) {
      const described = metadata.metadataAt(url.split('?', 1)[0] ?? '')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`${JSON.stringify(described)}\n`)
    },
  }
}
