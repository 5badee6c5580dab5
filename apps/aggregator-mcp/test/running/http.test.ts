import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, test } from 'vitest'
import { configure, odd, startOverHttp } from './aggregator-process.ts'

const { args, remove } = configure({ a: odd() })
const { url, stop } = await startOverHttp(args)
afterAll(async () => {
  await stop()
  remove()
})

const info = { name: 'test', version: '0' }
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

describe('clients of both eras are served at one address', () => {
  test.each([
    ['version 1', () => new FirstClient(info), FirstTransport],
    ['version 2 of 2025', () => new Client(info), StreamableHTTPClientTransport],
    ['version 2 of 2026', () => new Client(info, modern), StreamableHTTPClientTransport],
  ] as const)('%s', async (_name, create, Transport) => {
    const client = create() as Client
    await client.connect(new Transport(new URL(url)) as StreamableHTTPClientTransport)
    const calls = Array.from({ length: 20 }, async (_, at) => {
      const params = { module: 'a', tool_name: 'echo', params: { text: `n${at}` } }
      const { content } = await client.callTool({ name: 'call', arguments: params })
      return (content as { text: string }[])[0]?.text
    })
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, at) => `n${at}`))
    await client.close()
  })
})

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const post = (body: unknown, more: Record<string, string> = {}, at = url) =>
  fetch(at, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const deep = '['.repeat(200_000) + ']'.repeat(200_000)
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
}

describe('the door', () => {
  test('ends a session when its client says so', async () => {
    const opened = await post(initialize)
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    await opened.text()
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    expect((await post(ping, session)).status).toBe(200)
    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(200)
    expect((await post(ping, session)).status).toBe(404)
  })

  test.each([
    ['no JSON', () => post('{"jsonrpc": '), 400, -32700],
    ['JSON that is only depth', () => post(deep), 400, -32600],
    [
      'arguments that are too deep',
      () => post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":${deep}}}`),
      400,
      -32600,
    ],
    [
      'a request before a session',
      () => post({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      400,
      -32000,
    ],
    ['an unknown session', () => post(initialize, { 'mcp-session-id': 'x' }), 404, -32001],
    [
      'an unknown method of 2026',
      () =>
        post(
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'no/such',
            params: {
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          },
          { 'mcp-method': 'no/such', 'mcp-protocol-version': '2026-07-28' },
        ),
      404,
      -32601,
    ],
  ])('answers %s', async (_name, ask, status, code) => {
    const response = await ask()
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('does not open to other machines without a token', async () => {
    const open = spawn(process.execPath, [...args, '--http', '0.0.0.0:0'], { stdio: 'pipe' })
    let said = ''
    open.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const [code] = await once(open, 'exit')
    expect(code).toBe(2)
    expect(said).toContain('token create')
  })
})
