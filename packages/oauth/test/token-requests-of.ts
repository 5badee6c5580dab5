import type { HttpServer } from '../../servers/src/config/server-config.ts'
import { TokenKeeper } from '../src/token-keeper.ts'
import { createMemoryTokenStore } from '../src/token-store.ts'

const origin = 'https://mcp.example'
const issuer = 'https://login.example'

const metadata: Record<string, object> = {
  [`${origin}/.well-known/oauth-protected-resource`]: {
    resource: `${origin}/mcp`,
    authorization_servers: [issuer],
  },
  [`${issuer}/.well-known/oauth-authorization-server`]: {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
  },
}

/** A server without users, and what its authorization server is asked for. */
export function unattended(oauth: HttpServer['oauth'], answers: readonly object[] = []) {
  const requests: { authorization: string | null; fields: Record<string, string> }[] = []
  const store = createMemoryTokenStore()
  const learned: unknown[] = []
  const server = { name: 'notes', type: 'http', url: `${origin}/mcp`, headers: {}, oauth }
  const keeper = new TokenKeeper({
    server: { ...server, oauth: { grant: 'client_credentials', ...oauth } } as never,
    store,
    learn: (credential) => void learned.push(credential),
    async fetch(url, init) {
      if (String(url) !== `${issuer}/token`) {
        const body = metadata[String(url)]
        return body ? Response.json(body) : new Response('', { status: 404 })
      }
      const fields = Object.fromEntries(new URLSearchParams(String(init?.body)))
      requests.push({ authorization: new Headers(init?.headers).get('authorization'), fields })
      const token = { access_token: `token-${requests.length}`, token_type: 'Bearer' }
      const answer = { ...token, ...answers[requests.length - 1] }
      return Response.json(answer, { status: 'error' in answer ? 400 : 200 })
    },
  })
  return { keeper, requests, store, learned }
}
