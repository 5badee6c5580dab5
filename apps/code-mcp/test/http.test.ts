import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Code, createCode } from '@pith-mcp/code'
import { type McpHttpServing, serveMcpHttp } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { createServer } from '../src/server.ts'
import { allTools } from '../src/tools/all-tools.ts'

const folder = temporaryFolder()
let code: Code
let serving: McpHttpServing
const token = 'secret-token'
const options = {
  address: '127.0.0.1:0',
  token,
  tokenVariable: 'CODE_MCP_TOKEN',
  hosts: ['code.example'],
  createServer: () => createServer({ openCode: async () => code }),
  onError: () => {},
}

beforeAll(async () => {
  await writeFile(join(folder, 'a.py'), 'def knot(rope):\n    return rope\n')
  code = await createCode({ roots: [folder] })
  serving = await serveMcpHttp(options)
})
afterAll(async () => {
  await serving.close()
  await code.close()
})

const headers = { authorization: `Bearer ${token}` }
const info = { name: 'test', version: '0' }
const call = { name: 'get_chunk', arguments: { chunk_id: 'a.py#knot' } }

test.each([
  ['2025-11-25', undefined],
  ['2026-07-28', { mode: { pin: '2026-07-28' } } as const],
])('a client of %s lists and calls the tools', async (version, versionNegotiation) => {
  const client = new Client(info, versionNegotiation && { versionNegotiation })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(serving.url), { requestInit: { headers } }),
  )
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  expect((await client.listTools()).tools).toHaveLength(allTools.length)
  const { content } = await client.callTool(call)
  expect(content).toMatchObject([{ text: expect.stringContaining('return rope') }])
  await client.close()
})

test('so does a client of SDK version 1', async () => {
  const client = new FirstClient(info)
  const transport = new FirstTransport(new URL(serving.url), { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const { content } = await client.callTool(call)
  expect(content).toMatchObject([{ text: expect.stringContaining('return rope') }])
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
  ['with a wrong token', { authorization: 'Bearer wrong-token' }, '/mcp', 401],
  ['for another host', { ...headers, host: 'evil.example' }, '/mcp', 403],
  ['from another origin', { ...headers, origin: 'https://evil.example' }, '/mcp', 403],
  ['to another path', headers, '/', 404],
  ['to a path without a name', headers, '//', 404],
  ['under a name of --http-host', { ...headers, host: 'code.example' }, '/', 404],
])('a request %s is answered', async (_, others, path, status) => {
  expect(await post(others, path)).toBe(status)
})

test('other machines are served only with a token', async () => {
  const open = { ...options, token: undefined, address: '0.0.0.0:0' }
  await expect(serveMcpHttp(open)).rejects.toThrow(
    new UsageError(
      '--http 0.0.0.0:0 can be reached by other machines. Set CODE_MCP_TOKEN, or listen on 127.0.0.1.',
    ),
  )
  await expect(serveMcpHttp({ ...options, address: 'x' })).rejects.toThrow(UsageError)
})

test('a port in use is an error that names it', async () => {
  const address = new URL(serving.url).host
  await expect(serveMcpHttp({ ...options, address })).rejects.toThrow(/EADDRINUSE/)
})
