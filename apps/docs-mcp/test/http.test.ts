import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { type McpHttpServing, serveMcpHttp } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../src/server.ts'
import { allTools } from '../src/tools/all-tools.ts'

let folder: string
let docs: Docs
let serving: McpHttpServing
const token = 'secret-token'
const options = {
  address: '127.0.0.1:0',
  token,
  tokenVariable: 'DOCS_MCP_TOKEN',
  hosts: [],
  createServer: () => createServer({ openDocs: async () => docs, sources: ['x'] }),
  onError: () => {},
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'http-test-'))
  await writeFile(join(folder, 'a.html'), '<main><h1>Ropes</h1><p>A bowline.</p></main>')
  docs = await createDocs({ sources: [folder] })
  serving = await serveMcpHttp(options)
})
afterAll(async () => {
  await serving.close()
  await docs.close()
  await rm(folder, { recursive: true })
})

const headers = { authorization: `Bearer ${token}` }
const info = { name: 'test', version: '0' }
const call = { name: 'get_doc_content', arguments: { url: 'a.html' } }

test.each([
  ['legacy', undefined, '2025-11-25'],
  ['modern', { mode: { pin: '2026-07-28' } } as const, '2026-07-28'],
])('a %s client lists and calls the tools', async (_, versionNegotiation, version) => {
  const client = new Client(info, versionNegotiation && { versionNegotiation })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(serving.url), { requestInit: { headers } }),
  )
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  expect((await client.listTools()).tools).toHaveLength(allTools.length)
  const { content } = await client.callTool(call)
  expect(content).toMatchObject([{ text: expect.stringContaining('A bowline.') }])
  await client.close()
})

test('so does a client of SDK version 1', async () => {
  const client = new FirstClient(info)
  const transport = new FirstTransport(new URL(serving.url), { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const { content } = await client.callTool(call)
  expect(content).toMatchObject([{ text: expect.stringContaining('A bowline.') }])
  await client.close()
})

function post(others: Record<string, string>, path = '/mcp'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(serving.url),
      { method: 'POST', path, headers: { 'content-type': 'application/json', ...others } },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end('{}')
  })
}

test.each([
  ['without the token', {}, '/mcp', 401],
  ['with a wrong one', { authorization: 'Bearer wrong-token' }, '/mcp', 401],
  ['for another host', { ...headers, host: 'evil.example' }, '/mcp', 403],
  ['from another origin', { ...headers, origin: 'https://evil.example' }, '/mcp', 403],
  ['to another path', headers, '/', 404],
  ['to a path that is none', headers, '//', 404],
])('a request %s is refused', async (_, others, path, status) => {
  expect(await post(others, path)).toBe(status)
})

test('other machines are let in only with a token', async () => {
  const open = { ...options, token: undefined, address: '0.0.0.0:0' }
  await expect(serveMcpHttp(open)).rejects.toThrow(/DOCS_MCP_TOKEN/)
  await expect(serveMcpHttp({ ...options, address: 'x' })).rejects.toThrow(UsageError)
})

test('a port that is taken is told', async () => {
  await expect(serveMcpHttp({ ...options, address: new URL(serving.url).host })).rejects.toThrow(
    /EADDRINUSE/,
  )
})
