import { createAdmission, openDoor } from '@pith-mcp/door'

const door = await openDoor({
  address: '127.0.0.1:0',
  admission: createAdmission({ callers: () => ({ ci: { token: 'token-of-ci' } }) }),
  routes: [
    {
      name: 'hello',
      matches: (path) => path === '/hello',
      scope: 'mcp',
      replies: 'own',
      handle: (_request, response, { kind, name }) =>
        void response.end(`Come in, ${kind} ${name}.`),
    },
  ],
  onRefused: ({ reason, path }) => console.log(`${path} was refused: ${reason}`),
})
const knock = (headers = {}) => fetch(`${door.url}/hello`, { headers })
console.log((await knock()).status)
console.log(await (await knock({ authorization: 'Bearer token-of-ci' })).text())
await door.close()
