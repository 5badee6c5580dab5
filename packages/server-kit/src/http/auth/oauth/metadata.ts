import type { Route } from '../../routes/route.ts'
/** Protected resource metadata (RFC 9728), which clients read before they sign in. */
export interface Metadata {
  /** URL of the metadata of the resource at `path`. */
  metadataUrl(path: string): string
  /** The metadata at `path`; undefined for other paths. */
  metadataAt(path: string): object | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
/** Our path for MCP clients; the public URL of the resource may have a prefix. */
const ownPath = '/mcp'
const profileName = /^\/([a-zA-Z0-9][\w-]{0,39})$/

/**
 * The URL below which profiles are resources. Undefined unless it is the URL of MCP clients: paths
 * below another URL may belong to someone else.
 */
export function profilesBelow(resource: string): string | undefined {
  const base = resource.replace(/\/$/, '')
  return new URL(base).pathname.endsWith(ownPath) ? base : undefined
}

/**
 * Metadata of a resource and of its profiles, one path segment below. URLs come from the
 * configuration, never from a request. Unknown profiles have metadata too, so that names cannot be
 * probed.
 */
export function createMetadata(
  resource: string,
  issuer: string,
  scopes: readonly string[],
): Metadata {
  const base = profilesBelow(resource)
  const { origin, pathname } = new URL(resource)
  const basePath = pathname.replace(/\/$/, '')
  /** The profile segment of a path, or an empty text; undefined for other paths. */
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

/** Serves the metadata without authentication. */
export function metadataRoute(metadata: Metadata): Route {
  return {
    name: 'oauth-metadata',
    matches: (path) => metadata.metadataAt(path) !== undefined,
    scope: 'public',
    methods: ['GET', 'HEAD'],
    replies: 'data',
    // Browser clients run on ports of their own.
    origin: 'names',
    handle({ url = '' }, response) {
      const described = metadata.metadataAt(url.split('?', 1)[0] ?? '')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`${JSON.stringify(described)}\n`)
    },
  }
}
