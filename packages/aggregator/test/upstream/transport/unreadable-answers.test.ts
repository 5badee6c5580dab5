import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerConfig } from '../../../src/config/server-config.ts'
import { connect } from '../../../src/upstream/transport/connect.ts'
import { configOf } from '../../fake-servers.ts'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'streams', version: '1' },
}

/** A server that answers on streams. `bad` answers with something unreadable, `late` after a while. */
async function serveStreams(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await text(request))
    if (id === undefined) return response.writeHead(202).end()
    const name = params?.name as string | undefined
    if (name === 'late') await sleep(300)
    if (name === 'silent') return
    const results: Record<string, object> = {
      initialize: initialized,
      'tools/list': { tools: ['bad', 'late', 'silent'].map(tool) },
      'tools/call': { content: [{ type: 'text', text: 'here' }] },
    }
    const result = name === 'bad' ? null : (results[method] ?? {})
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function open() {
  const url = await serveStreams()
  const connection = await connect({
    server: configOf('streams', { type: 'http', url, headers: {} } as Partial<ServerConfig>),
    capabilities: {},
    signal: AbortSignal.timeout(10_000),
    onNotification() {},
    onAsk: async () => ({}),
    onStderr() {},
  })
  onTestFinished(() => connection.close())
  const call = (name: string, signal?: AbortSignal) =>
    connection.request({ method: 'tools/call', params: { name, arguments: {} } }, { signal }).then(
      ({ content }) => (content as { text: string }[])[0]?.text,
      (error: Error) => error.message,
    )
  return { call }
}

const refused = 'The server answered with a message that is not valid JSON-RPC.'

test('an unreadable answer on a stream refuses the request that waits for it', async () => {
  const { call } = await open()
  expect(await call('bad')).toBe(refused)
  expect(await call('late')).toBe('here')
})

test('of several requests those are refused that are left when the others are answered', async () => {
  const { call } = await open()
  const calls = ['late', 'bad', 'late', 'bad'].map((name) => call(name))
  expect(await Promise.all(calls)).toEqual(['here', refused, 'here', refused])
  expect(await Promise.all(['bad', 'late'].map((name) => call(name)))).toEqual([refused, 'here'])
})

test('a request that is given up does not make another one the unreadable one', async () => {
  const { call } = await open()
  const waiting = [call('late'), call('silent', AbortSignal.timeout(1_500)), call('bad')] as const
  expect(await waiting[0]).toBe('here')
  expect(await waiting[1]).toMatch(/abort|time/i)
  expect(await Promise.race([waiting[2], sleep(300, 'waits')])).toBe('waits')
})
