import { serveAuthorization } from './authorization-server.ts'
import { browse, type Visit } from './browser.ts'
import { type ResourceSettings, serveResource } from './resource-server.ts'
import type { AuthorizationSettings } from './settings.ts'

/** A request that came in, at whichever server. */
interface Seen {
  /** `authorization`, or the name of the MCP server. */
  server: string
  /** By what it is for; a path where there is nothing. */
  endpoint: string
  httpMethod: string
  url: string
  headers: Record<string, string>
  /** Parameters of the query and the form; of MCP `method`, `tool` and `user`. */
  fields: Record<string, string>
}

export interface OAuthWorldOptions<Name extends string> {
  authorization?: Partial<AuthorizationSettings>
  /** The MCP servers by name; one with the usual settings is `{}`. */
  servers: Record<Name, Partial<ResourceSettings>>
}

/** An authorization server and MCP servers that trust it, all on this machine. */
export async function openOAuthWorld<Name extends string>(options: OAuthWorldOptions<Name>) {
  const seen: Seen[] = []
  const visits: Visit[] = []
  const opened: string[] = []
  const noteFor = (server: string) => (endpoint: string, request: Request, fields: object) => {
    const { method: httpMethod, url, headers } = request
    seen.push({
      server,
      endpoint,
      httpMethod,
      url,
      headers: Object.fromEntries(headers),
      fields: { ...fields },
    })
  }
  const resources = new Set<string>()
  const authorization = await serveAuthorization(
    options.authorization ?? {},
    resources,
    noteFor('authorization'),
  )
  const servers = {} as Record<Name, Awaited<ReturnType<typeof serveResource>>>
  for (const name of Object.keys(options.servers) as Name[]) {
    servers[name] = await serveResource(name, options.servers[name], authorization, noteFor(name))
    resources.add(servers[name].url)
  }

  return {
    authorization,
    servers,
    /** Addresses that tokens may be asked for. */
    resources,
    /** Every request, in order. */
    seen,
    /** Addresses that were opened in the browser. */
    opened,
    visits,
    /** How many requests an endpoint had, at one server or at all. */
    count: (endpoint: string, server?: string): number =>
      seen.filter((one) => one.endpoint === endpoint && (server ?? one.server) === one.server)
        .length,
    /** Calls of MCP methods that came in, with whom their token stood for. */
    methodsAt: (server: Name): string[] =>
      seen
        .filter((one) => one.server === server && one.endpoint === 'mcp')
        .map(({ fields }) => String(fields['method'])),
    /** Refreshes that were asked for, granted or not. */
    refreshes: (): number =>
      seen.filter(
        ({ endpoint, fields }) => endpoint === 'token' && fields['grant_type'] === 'refresh_token',
      ).length,
    /** A browser without a screen. @throws where nothing answers. */
    async openInBrowser(url: string | URL, user?: string): Promise<Visit> {
      opened.push(String(url))
      const visit = await browse(url, user)
      visits.push(visit)
      return visit
    },
    async close(): Promise<void> {
      await Promise.all([
        authorization.close(),
        ...Object.values<{ close(): Promise<void> }>(servers).map((server) => server.close()),
      ])
    },
  }
}
