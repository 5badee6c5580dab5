import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { ServerConfig } from '../../../../servers/src/config/server-config.ts'
import type { TokenSource } from '../../../../servers/src/connection/connection.ts'
import type { Era, JsonObject } from '../../../../servers/src/protocol/message.ts'
import { connect } from '../../../src/upstream/transport/connect.ts'
import { configOf } from '../../fake-servers.ts'

interface Request {
  id?: string | number
  method: string
  params?: JsonObject
  headers: IncomingHttpHeaders
}

/** Answers in place of the server if it returns true. */
export type Odd = (request: Request, response: ServerResponse) => boolean

export interface Framed {
  status?: number
  type?: string
  headers?: Record<string, string>
  /** `$ID` stands for the id of the request. */
  body?: string
}

export const answerWith =
  (method: string, { status = 200, type, headers, body = '' }: Framed): Odd =>
  (request, response) => {
    if (request.method !== method) return false
    response.writeHead(status, { ...(type && { 'content-type': type }), ...headers })
    response.end(body.replaceAll('$ID', JSON.stringify(request.id)))
    return true
  }

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

const results = {
  legacy: {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    'tools/call': { content: [{ type: 'text', text: 'here' }] },
  },
  modern: {
    'server/discover': {
      ...complete,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
    },
    'tools/call': { resultType: 'complete', content: [{ type: 'text', text: 'here' }] },
  },
} as const

/** A server of one era over HTTP that answers some requests in its own way. */
export async function serveOddly(odd: Odd, era: Era = 'legacy') {
  const requests: string[] = []
  const server = createServer(async (incoming, response) => {
    if (incoming.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await text(incoming))
    requests.push(method)
    if (odd({ id, method, params, headers: incoming.headers }, response)) return
    if (id === undefined) return response.writeHead(202).end()
    const result = (results[era] as Record<string, object>)[method]
    const error = { code: -32601, message: 'Method not found' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, requests, close }
}

/** Connects, and closes the connection after the test. */
export async function openAt(
  server: Partial<ServerConfig>,
  { era, tokens }: { era?: Era; tokens?: TokenSource } = {},
) {
  const connection = await connect({
    server: configOf('odd', server),
    capabilities: {},
    ...(era && { era }),
    ...(tokens && { tokens }),
    signal: AbortSignal.timeout(25_000),
    onNotification() {},
    onAsk: async () => ({}),
    onStderr() {},
  })
  onTestFinished(() => connection.close())
  /** The text of the answer, or the reason why there is none. */
  const call = (signal: AbortSignal = AbortSignal.timeout(20_000)): Promise<string> =>
    connection
      .request({ method: 'tools/call', params: { name: 'x', arguments: {} } }, { signal })
      .then(
        ({ content }) => (content as { text: string }[])[0]?.text ?? 'no text',
        (error: Error) => error.message,
      )
  return { connection, call }
}

export const at = (url: string): Partial<ServerConfig> => ({ type: 'http', url, headers: {} })
