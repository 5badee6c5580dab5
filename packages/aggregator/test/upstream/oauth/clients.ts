import { refusal } from './refusal.ts'
import type { AuthorizationSettings, Client } from './settings.ts'

const loopback = ['127.0.0.1', 'localhost', '[::1]']
const methods = ['none', 'client_secret_basic', 'client_secret_post']

/** The clients of an authorization server: registered, known beforehand, or known by a document. */
export function createClients(settings: AuthorizationSettings) {
  const known = new Map<string, Client>()

  function find(id: string): Client {
    const document = settings.metadataDocuments?.[id]
    const client = document ? complete({ ...document, client_id: id }) : known.get(id)
    if (client === undefined) throw refusal('invalid_client', `no client ${id}`, 401)
    return client
  }

  return {
    find,
    /** A client that was registered by hand. */
    add: (client: Partial<Client> & { client_id: string }) =>
      void known.set(client.client_id, complete(client)),
    forget: (id: string) => void known.delete(id),
    all: () => [...known.values()],
    register(given: Record<string, unknown>): Client {
      const uris = given['redirect_uris']
      if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => mayRedirect(uri)))
        throw refusal('invalid_redirect_uri', 'https, or http on this machine, without fragment')
      const isOnThisMachine = uris.some((uri) => uri.startsWith('http:'))
      if (isOnThisMachine && given['application_type'] !== 'native')
        throw refusal('invalid_redirect_uri', 'http is for application_type native')
      const method = given['token_endpoint_auth_method'] ?? 'client_secret_basic'
      if (typeof method !== 'string' || !methods.includes(method))
        throw refusal('invalid_client_metadata', `token_endpoint_auth_method ${method}`)
      const client = complete({
        ...(given as Partial<Client>),
        token_endpoint_auth_method: method,
        client_id: crypto.randomUUID(),
        ...(method !== 'none' && { client_secret: crypto.randomUUID() }),
      })
      known.set(client.client_id, client)
      return client
    },
    /** Who asks at the token endpoint, in exactly the way it is registered with. */
    authenticate(headers: Headers, params: URLSearchParams): Client {
      const [, encoded] = /^Basic (\S+)$/.exec(headers.get('authorization') ?? '') ?? []
      const [user, password] = encoded === undefined ? [] : atob(encoded).split(':')
      const client = find(user ?? params.get('client_id') ?? '')
      const given = password ?? params.get('client_secret') ?? undefined
      const method =
        password !== undefined
          ? 'client_secret_basic'
          : given !== undefined
            ? 'client_secret_post'
            : 'none'
      if (method !== client.token_endpoint_auth_method || given !== client.client_secret)
        throw refusal('invalid_client', `${method} is not how the client is known`, 401)
      return client
    },
    mayUse(client: Client, redirectUri: string): boolean {
      if (client.redirect_uris.includes(redirectUri)) return true
      const asked = new URL(redirectUri)
      if (!settings.anyLoopbackPort || !loopback.includes(asked.hostname)) return false
      asked.port = ''
      return client.redirect_uris.some((uri) => {
        const registered = new URL(uri)
        registered.port = ''
        return registered.href === asked.href
      })
    },
  }
}

const complete = (given: Partial<Client> & { client_id: string }): Client => ({
  redirect_uris: [],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: given.client_secret === undefined ? 'none' : 'client_secret_basic',
  ...given,
})

function mayRedirect(uri: unknown): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  const { protocol, hostname, hash } = new URL(uri)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname))
  return isSafe && hash === ''
}
