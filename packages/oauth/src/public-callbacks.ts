import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownedBy } from '#servers/protocol/handles'
import { type Arrive, type ListenForCallback, show } from './callback-listener.ts'

/** Receives redirects of browsers at the public address, so that users may be on other machines. */
export type PublicCallbacks = ReturnType<typeof createPublicCallbacks>

const path = '/oauth/callback'
const metadataPath = '/oauth/client.json'
const unknown = { status: 400, text: 'There is no such sign-in, or it has ended. Begin it again.' }

/** `baseUrl`: the public address, with its path if there is one. */
export function createPublicCallbacks(baseUrl: string, replica?: string) {
  const base = baseUrl.replace(/\/$/, '')
  const redirectUrl = `${base}${path}`
  const clientId = base.startsWith('https:') ? `${base}${metadataPath}` : undefined
  const listeners = new Map<string, Arrive>()
  const metadata: Readonly<Record<string, unknown>> = {
    client_id: clientId,
    client_name: 'aggregator-mcp',
    client_uri: base,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  const listen: ListenForCallback = async (_port, arrive, state) => {
    listeners.set(state, arrive)
    return { redirectUrl, close: () => void listeners.delete(state) }
  }
  return {
    /** Where the redirects arrive, without a query. */
    path,
    /** Where the metadata is, below the public address. */
    metadataPath,
    /** Identifies this client to authorization servers that read its metadata (CIMD). */
    clientId,
    /** The metadata of this client. */
    metadata,
    /** Begins the state of a sign-in with its replica. */
    stateOf: (random: string) => ownedBy(replica, random),
    listen,
    /** Answers a redirect. */
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { searchParams } = new URL(request.url ?? '/', base)
      const arrive = listeners.get(searchParams.get('state') ?? '')
      const { status, text } = (await arrive?.(searchParams)) ?? unknown
      show(response, status, text)
    },
  }
}
