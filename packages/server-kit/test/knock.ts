import {
  type Authenticator,
  createAuthenticator,
  type HttpEndpointOptions,
  openHttpEndpoint,
  type Rejection,
  type Route,
  readBody,
} from '../src/index.ts'

const owner = 'token-of-owner'
export const asOwner = { authorization: `Bearer ${owner}` }
export const asCi = { authorization: 'Bearer token-of-ci' }

/** Says who came in. */
export const route = (path: string, more: Partial<Route> = {}): Route => ({
  name: path.slice(1),
  matches: (asked) => asked === path,
  scope: 'mcp',
  methods: ['GET', 'POST'],
  replies: 'own',
  handle: (_request, response, { kind, name }) => void response.end(`${kind} ${name}`),
  ...more,
})

export const reading: Route = route('/body', {
  async handle(request, response) {
    const body = await readBody(request, { bytes: 1_000, ms: 300 })
    response.end(String(body.length))
  },
})

/** A door with an owner and a caller, and what it refused. */
export async function openTestEndpoint(
  routes: readonly Route[],
  options: Partial<HttpEndpointOptions> = {},
  authenticator: Authenticator = createAuthenticator({
    owner,
    callers: () => callers,
  }),
) {
  const refused: Rejection[] = []
  const endpoint = await openHttpEndpoint({
    address: '127.0.0.1:0',
    authenticator,
    routes,
    onRejected: (rejection) => refused.push(rejection),
    ...options,
  })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(endpoint.url + path, init)
  return { ...endpoint, refused, ask, reasons: () => refused.map(({ reason }) => reason) }
}

const callers = { ci: { token: 'token-of-ci', profile: 'docs' } }
