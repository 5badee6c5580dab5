import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, test } from 'vitest'
import { configure, odd, startOverHttp } from './aggregator-process.ts'

const { args, remove } = configure(
  { mail: odd(), wiki: { ...odd(), deny: ['crash'] } },
  {
    profiles: { docs: { servers: ['wiki'] }, all: {} },
    callers: {
      ci: { token: '${CI_TOKEN}', profile: 'docs' },
      me: { token: 'token-of-me' },
    },
  },
)
const { url, stop } = await startOverHttp(args, {
  ...process.env,
  CI_TOKEN: 'token-of-ci',
  AGGREGATOR_MCP_TOKEN: 'token-of-owner',
})
afterAll(async () => {
  await stop()
  remove()
})

const info = { name: 'test', version: '0' }
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
const clients = [
  ['version 1', () => new FirstClient(info), FirstTransport],
  ['version 2 of 2025', () => new Client(info), StreamableHTTPClientTransport],
  ['version 2 of 2026', () => new Client(info, modern), StreamableHTTPClientTransport],
] as const

describe.each(clients)('a client of %s', (_name, create, Transport) => {
  async function modulesAt(path: string, token?: string): Promise<string> {
    const client = create() as Client
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const transport = new Transport(new URL(url + path), { requestInit: { headers } })
    await client.connect(transport as StreamableHTTPClientTransport)
    const { content } = await client.callTool({ name: 'get_module_schema', arguments: {} })
    await client.close()
    return (content as { text: string }[])[0]?.text.replace(/:.*$/gm, '').replace('\n', ' ') ?? ''
  }

  test.each([
    ['the owner everything', '', 'token-of-owner', 'mail wiki'],
    ['the owner a profile by its path', '/docs', 'token-of-owner', 'wiki'],
    ['a caller the profile of its token', '', 'token-of-ci', 'wiki'],
    ['a caller that profile by its path too', '/docs', 'token-of-ci', 'wiki'],
    ['a caller without a profile what it asks for', '/docs', 'token-of-me', 'wiki'],
  ])('sees as %s', async (_what, path, token, modules) => {
    expect(await modulesAt(path, token)).toBe(modules)
  })

  test.each([
    ['', 'call'],
    ['?mode=full', 'mail__echo'],
    ['/docs?mode=list', 'wiki__echo'],
  ])('lists tools by the mode of the URL: %s', async (path, tool) => {
    const client = create() as Client
    const requestInit = { headers: { authorization: 'Bearer token-of-owner' } }
    const transport = new Transport(new URL(url + path), { requestInit })
    await client.connect(transport as StreamableHTTPClientTransport)
    const { tools } = await client.listTools()
    await client.close()
    expect(tools.map(({ name }) => name)).toContain(tool)
    expect(tools.some(({ name }) => name === 'batch')).toBe(path === '')
  })

  test.each([
    ['at a mode that is not there', '?mode=fast', 'token-of-owner'],
    ['without a token', '', undefined],
    ['with a token that is none', '', 'token-of-nobody'],
    ['at the profile of others', '/all', 'token-of-ci'],
    ['at a profile that is not there', '/nothing', 'token-of-owner'],
    ['beside the path', '/../docs/x', 'token-of-owner'],
  ])('does not come in %s', async (_what, path, token) => {
    await expect(modulesAt(path, token)).rejects.toThrow()
  })
})

test.each(['fast', 'auto'])('a mode that does not exist is named as wrong: %s', async (mode) => {
  const headers = { authorization: 'Bearer token-of-owner' }
  const response = await fetch(`${url}?mode=${mode}`, { method: 'POST', headers })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('The mode of a URL is one of meta, list, full.')
})

test('a session is not for whoever knows its id', async () => {
  const post = (token: string, body: object, more: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
  const opened = await post('token-of-owner', {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
  })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await opened.text()
  expect((await post('token-of-owner', { method: 'ping' }, session)).status).toBe(200)
  expect((await post('token-of-ci', { method: 'ping' }, session)).status).toBe(404)
})

test('a profile that one may not use is answered as one that is not there', async () => {
  const get = async (path: string) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-ci' },
    })
    return { status: response.status, text: await response.text() }
  }
  expect(await get('/all')).toEqual(await get('/nothing'))
})
