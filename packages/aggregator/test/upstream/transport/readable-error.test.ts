import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectOptions } from '../../../../servers/src/connection/connection.ts'
import { connect } from '../../../src/upstream/transport/connect.ts'
import { configOf } from '../../fake-servers.ts'

async function reasonAt(url: string): Promise<string> {
  const server = { ...configOf('a'), type: 'http', url, headers: {} }
  const options = { server, capabilities: {}, signal: new AbortController().signal }
  return connect(options as unknown as ConnectOptions).then(
    () => 'connected',
    ({ message }: Error) => message,
  )
}

async function serve(status: number, type: string, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('a closed port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  expect(await reasonAt(`http://127.0.0.1:${port}/mcp`)).toBe(
    'its address refused the connection (ECONNREFUSED)',
  )
})

test('a port that fetch does not allow', async () => {
  expect(await reasonAt('http://127.0.0.1:1/mcp')).toBe('the port in its url is not allowed')
})

test.each([
  [500, 'text/plain', 'broken', 'it answered with HTTP 500: <server-text>broken</server-text>'],
  [502, 'text/html', '<html>', 'it answered with HTTP 502'],
  [
    404,
    'text/plain',
    'no such page',
    'it answered with HTTP 404: <server-text>no such page</server-text>',
  ],
  [401, 'text/plain', '', 'it requires authorization (HTTP 401)'],
  [403, 'text/plain', '', 'it denied access (HTTP 403)'],
  [200, 'text/html', '<p>', 'it answered with text/html instead of JSON or an event stream'],
  [200, 'application/json', '{', 'it answered with <server-text>"{" instead of JSON</server-text>'],
  [
    200,
    'application/json',
    '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":5}}',
    'its answer is not valid MCP: protocolVersion is missing or of a wrong type',
  ],
] as const)('an answer of status %i and type %s: %j', async (status, type, body, reason) => {
  expect(await reasonAt(await serve(status, type, body))).toBe(reason)
})
