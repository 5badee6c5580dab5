import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Note } from './authorization-server.ts'
import { answerOf, type Fault } from './faults.ts'
import { createMcpService } from './mcp-service.ts'
import { serveWeb, type silence } from './serve-web.ts'
import type { Issued } from './tokens.ts'

/** What may be changed at any time, `eras` excepted. */
export interface ResourceSettings {
  eras: readonly ('legacy' | 'modern')[]
  /** Methods of MCP, or of HTTP where there is no message, that nobody may use without a token. */
  needsToken: (method: string) => boolean
  /** Tools that need more than any token. */
  toolScopes: Record<string, string>
  /** Announced in the metadata of the resource, and in the challenge. */
  scopes: string[] | undefined
  /** What a 401 says: all, only `Bearer`, or nothing. */
  challenge: 'full' | 'bare' | 'none'
  alterMetadata: (metadata: Record<string, unknown>) => unknown
}

export type ResourceEndpoint = 'mcp' | 'resource-metadata'

interface Incoming {
  method?: string
  params?: { name?: string }
}

const path = '/mcp'
const metadataPath = `/.well-known/oauth-protected-resource${path}`

/** What a server usually lets anonymous do that asks for a token at a call. */
export const asksAtCalls = (method: string): boolean => method === 'tools/call'

/** An MCP server that takes only tokens made for it. */
export async function serveResource(
  name: string,
  given: Partial<ResourceSettings>,
  authority: { issuer: string; verify(token: string, resource: string): Issued | undefined },
  note: Note,
) {
  const settings: ResourceSettings = {
    eras: ['legacy', 'modern'],
    needsToken: () => true,
    toolScopes: { publish: 'publish' },
    scopes: ['mcp'],
    challenge: 'full',
    alterMetadata: (metadata) => metadata,
    ...given,
  }
  const service = createMcpService(name, settings.eras)
  const faults = new Map<ResourceEndpoint, Fault>()

  async function answer(request: Request): Promise<Response | typeof silence> {
    const { pathname } = new URL(request.url)
    if (pathname === metadataPath) {
      note('resource-metadata', request, {})
      const fault = faults.get('resource-metadata')
      return fault ? answerOf(fault) : Response.json(settings.alterMetadata(metadata()))
    }
    if (pathname !== path) {
      note(pathname, request, {})
      return new Response('Not found', { status: 404 })
    }
    const body = request.method === 'POST' ? parse(await request.text()) : undefined
    const { method = request.method, params } = (body ?? {}) as Incoming
    const tool = params?.name ?? ''
    const token = tokenOf(request)
    const known = token === undefined ? undefined : authority.verify(token, url)
    note('mcp', request, { method, tool, user: known?.grant.user ?? '' })
    const fault = faults.get('mcp')
    if (fault !== undefined) return answerOf(fault)
    if (token !== undefined && known === undefined)
      return challenge(401, 'invalid_token', settings.scopes?.join(' '))
    if (known === undefined && settings.needsToken(method))
      return challenge(401, undefined, settings.scopes?.join(' '))
    const scope = method === 'tools/call' ? settings.toolScopes[tool] : undefined
    if (scope !== undefined && known && !known.scopes.includes(scope))
      return challenge(403, 'insufficient_scope', scope)
    return service.fetch(request, body, known && authInfoOf(known))
  }

  const { origin, close } = await serveWeb(answer)
  const url = `${origin}${path}`

  const metadata = () => ({
    resource: url,
    authorization_servers: [authority.issuer],
    bearer_methods_supported: ['header'],
    resource_name: name,
    ...(settings.scopes && { scopes_supported: settings.scopes }),
  })

  function challenge(status: number, error: string | undefined, scope: string | undefined) {
    const fields = { error, scope, resource_metadata: `${origin}${metadataPath}` }
    const said = Object.entries(fields).filter(([, value]) => value !== undefined)
    const full = said.map(([key, value]) => `${key}="${value}"`).join(', ')
    const header = { full: `Bearer ${full}`, bare: 'Bearer', none: undefined }[settings.challenge]
    return Response.json(
      { error: error ?? 'unauthorized' },
      { status, ...(header !== undefined && { headers: { 'www-authenticate': header } }) },
    )
  }

  return {
    url,
    settings,
    /** Endpoints that answer otherwise, from the next request on. */
    faults,
    async close() {
      await service.close()
      await close()
    },
  }
}

const tokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** `extra` is what `whoami` says. */
const authInfoOf = ({ accessToken, grant, scopes, expiresAt }: Issued): AuthInfo => ({
  token: accessToken,
  clientId: grant.clientId,
  scopes,
  expiresAt: Math.ceil(expiresAt / 1_000),
  extra: { user: grant.user, subject: `user:${grant.user}`, grant: grant.id, scopes, accessToken },
})

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
