import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const properties = { key: { type: 'string' }, ms: { type: 'number' } }
const uri = 'counter://number'
const inputSchema = { type: 'object', properties, required: ['key'] }

interface Message {
  id?: number
  method: string
  params: { protocolVersion?: string; name?: string; arguments: { key: string; ms?: number } }
}

/**
 * A server over HTTP with sessions and one state for all of them: a counter, which `count` increments,
 * and the resource of its number. Each execution is a line of the file; the answer has the key and the
 * number. `add` adds a tool that does the same.
 */
export async function startCounter(file: string) {
  const sessions = new Set<string>()
  const streams = new Set<ServerResponse>()
  const names = ['count', 'add']
  let number = 0
  const tell = (what: string, params: object = {}): void => {
    const message = { jsonrpc: '2.0', method: `notifications/${what}`, params }
    for (const stream of streams) stream.write(`data: ${JSON.stringify(message)}\n\n`)
  }
  const resultOf = async ({ method, params }: Message): Promise<object | undefined> => {
    if (method === 'initialize')
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        serverInfo: { name: 'counter', version: '1' },
      }
    if (method === 'tools/list') return { tools: names.map((name) => ({ name, inputSchema })) }
    if (method === 'resources/list') return { resources: [{ uri, name: 'number' }] }
    if (method === 'resources/read') return { contents: [{ uri, text: `${number}` }] }
    if (method === 'resources/subscribe') return {}
    if (method !== 'tools/call') return undefined
    const { key, ms = 0 } = params.arguments
    if (params.name === 'add') {
      names.push(key)
      tell('tools/list_changed')
      return { content: [] }
    }
    appendFileSync(file, `${key}\n`)
    const text = `${key} ${++number}`
    tell('resources/updated', { uri })
    await sleep(ms)
    return { content: [{ type: 'text', text }] }
  }
  const server = createServer(async (request, response) => {
    const session = String(request.headers['mcp-session-id'] ?? '')
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.add(response.once('close', () => streams.delete(response)))
      return
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = (await json(request)) as Message
    const isOpening = message.method === 'initialize'
    if (!isOpening && session !== '' && !sessions.has(session))
      return void response.writeHead(404).end()
    if (message.id === undefined) return void response.writeHead(202).end()
    const own = isOpening ? crypto.randomUUID() : session
    if (isOpening) sessions.add(own)
    const result = await resultOf(message)
    response.setHeader('content-type', 'application/json')
    if (own !== '') response.setHeader('mcp-session-id', own)
    const error = { code: -32601, message: 'Method not found' }
    const outcome = result === undefined ? { error } : { result }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    number: () => number,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
