import { createAuthenticator, openHttpEndpoint } from '@pith-mcp/server-kit'

const endpoint = await openHttpEndpoint({
  address: '127.0.0.1:0',
  authenticator: createAuthenticator({ callers: () => ({ ci: { token: 'token-of-ci' } }) }),
  routes: [
    {
      name: 'hello',
      matches: (path) => path === '/hello',
      scope: 'mcp',
      replies: 'own',
      handle: (_request, response, { kind, name }) => void response.end(`Hello, ${kind} ${name}.`),
    },
  ],
  onRejected: ({ reason, path }) => console.log(`${path} was rejected: ${reason}`),
})
const get = (headers = {}) => fetch(`${endpoint.url}/hello`, { headers })
console.log((await get()).status)
console.log(await (await get({ authorization: 'Bearer token-of-ci' })).text())
await endpoint.close()
