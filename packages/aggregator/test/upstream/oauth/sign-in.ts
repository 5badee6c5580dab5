import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

/** All that a client keeps. */
export interface Memory {
  client?: StoredOAuthClientInformation | undefined
  tokens?: StoredOAuthTokens | undefined
  verifier?: string | undefined
  state?: string | undefined
  discovery?: OAuthDiscoveryState | undefined
}

/** The least that the SDK's client needs, for tests of the world and as an example. */
export function createProvider(
  redirectUrl: string,
  open: (url: URL) => Promise<unknown>,
  memory: Memory = {},
  metadata: Partial<OAuthClientMetadata> & { url?: string } = {},
): OAuthClientProvider & { memory: Memory } {
  const { url: clientMetadataUrl, ...more } = metadata
  const keys = {
    all: ['client', 'tokens', 'verifier', 'discovery'],
    client: ['client'],
    tokens: ['tokens'],
    verifier: ['verifier'],
    discovery: ['discovery'],
  } as const
  return {
    memory,
    redirectUrl,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'test',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      ...more,
    },
    state() {
      memory.state = crypto.randomUUID()
      return memory.state
    },
    clientInformation: () => memory.client,
    saveClientInformation(client) {
      memory.client = client
    },
    tokens: () => memory.tokens,
    saveTokens(tokens) {
      memory.tokens = tokens
    },
    codeVerifier: () => memory.verifier ?? '',
    saveCodeVerifier(verifier) {
      memory.verifier = verifier
    },
    discoveryState: () => memory.discovery,
    saveDiscoveryState(discovery) {
      memory.discovery = discovery
    },
    invalidateCredentials(scope) {
      for (const key of keys[scope]) memory[key] = undefined
    },
    // Not waited for, as with a browser: what comes of it comes to the listener.
    redirectToAuthorization(url) {
      void open(url).catch(() => {})
    },
  }
}

/** Waits on a free port for the browser to come back. */
export async function listenForCallback() {
  let arrive = (_params: URLSearchParams): void => {}
  const callback = new Promise<URLSearchParams>((resolve) => {
    arrive = resolve
  })
  const server = createServer((request, response) => {
    response.end('You can close this window.')
    arrive(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    callback,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Mode = 'legacy' | 'auto' | { pin: string }

export async function connectTo(
  url: string,
  authProvider: OAuthClientProvider,
  mode: Mode = 'legacy',
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client(
    { name: 'test', version: '0' },
    mode === 'legacy' ? {} : { versionNegotiation: { mode } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider })
  try {
    await client.connect(transport as Transport)
  } catch (error) {
    // Only this transport knows what the challenge said; it is needed to go on.
    throw Object.assign(error as Error, { transport })
  }
  return { client, transport }
}

interface Signing {
  openInBrowser(url: string | URL, user?: string): Promise<unknown>
}

/** Signs a user in, all the way from a 401 to a connected client. */
export async function signIn(
  world: Signing,
  url: string,
  options: {
    user?: string
    mode?: Mode
    metadata?: Partial<OAuthClientMetadata> & { url?: string }
    memory?: Memory
  } = {},
) {
  const listener = await listenForCallback()
  const open = (to: URL) => world.openInBrowser(to, options.user)
  const provider = createProvider(listener.redirectUrl, open, options.memory, options.metadata)
  try {
    const first = await connectTo(url, provider, options.mode).catch(
      (error: Error & { transport?: StreamableHTTPClientTransport }) => {
        if (!UnauthorizedError.isInstance(error) || !error.transport) throw error
        return error.transport
      },
    )
    if ('client' in first) return { ...first, provider }
    const params = await listener.callback
    if (params.get('state') !== provider.memory.state) throw new Error('another state came back')
    await first.finishAuth(params)
    return { ...(await connectTo(url, provider, options.mode)), provider }
  } finally {
    listener.close()
  }
}
