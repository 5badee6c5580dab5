import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { aggregatorOf, httpServer, signInsIn, type World } from './aggregated.ts'
import { open } from './open-world.ts'

const echo = { name: 'whoami', inputSchema: { type: 'object' } }
const publish = { name: 'publish', inputSchema: { type: 'object' } }

/** A server of 2024: all it says comes by one stream. It takes tokens of the world. */
async function serveSse(world: World): Promise<string> {
  const { issuer, verify } = world.authorization
  let stream: ServerResponse | undefined
  const say = (event: string, data: string) => stream?.write(`event: ${event}\ndata: ${data}\n\n`)
  const server = createServer(async (request, response) => {
    const metadata = `${origin}/.well-known/oauth-protected-resource/sse`
    if (request.url === new URL(metadata).pathname)
      return response.end(JSON.stringify({ resource: url, authorization_servers: [issuer] }))
    if (request.method === 'POST' && request.url === '/sse') return response.writeHead(405).end()
    const known = verify(request.headers.authorization?.slice('Bearer '.length) ?? '', url)
    const refuse = (status: number, said: string) =>
      response.writeHead(status, { 'www-authenticate': `Bearer ${said}` }).end()
    if (known === undefined) return refuse(401, `resource_metadata="${metadata}", scope="mcp"`)
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream = response
      say('endpoint', '/messages')
      return
    }
    const { id, method, params } = JSON.parse(await text(request))
    if (params?.name === 'publish' && !known.scopes.includes('publish'))
      return refuse(403, 'error="insufficient_scope", scope="publish"')
    response.writeHead(202).end()
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      },
      'tools/list': { tools: [echo, publish] },
      'tools/call': { content: [{ type: 'text', text: JSON.stringify(known.grant) }] },
    }
    const answer = { jsonrpc: '2.0', id, result: results[method] ?? {} }
    if (id !== undefined) say('message', JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/sse`
  world.resources.add(url)
  return url
}

test.each(['sse', 'http'] as const)(
  'a server of 2024, configured as %s, is signed in at',
  async (type) => {
    const world = await open()
    const old = httpServer('old', await serveSse(world), { type })
    const { signIns, tabs } = signInsIn(world)
    const { whoami, call, statusOf } = aggregatorOf([old], { signIns })
    expect(await whoami('old')).toContain('needs a sign-in: no user is signed in')
    expect(statusOf('old')).toMatchObject({ needsSignIn: true, failures: 0 })
    await signIns.signIn(old)
    expect(await whoami('old')).toBe('alice')
    world.authorization.expireAccessTokens()
    const users = await Promise.all(Array.from({ length: 5 }, () => whoami('old')))
    expect(new Set(users)).toEqual(new Set(['alice']))
    expect(world.refreshes()).toBe(1)
    expect(await call('old', 'publish')).toContain('it requires the scope publish')
    await signIns.signIn(old)
    expect(await call('old', 'publish')).toContain('alice')
    expect(tabs.map((tab) => new URL(tab).searchParams.get('scope'))).toEqual([
      'mcp',
      'mcp publish',
    ])
  },
)
