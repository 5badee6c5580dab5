import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text as whole } from 'node:stream/consumers'
import { legacyPeer } from './legacy.mjs'
import { modernPeer } from './modern.mjs'
import { Rejection } from './refusal.mjs'

const eventStream = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}
const event = (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`

/** One answer: JSON where nothing came before it and no stream is wished, else a stream of events. */
function reply(response, { id, method, params }, log, always = {}) {
  const streamed = method === 'tools/call' && params.name !== 'echo'
  const stream = () => {
    if (!response.headersSent) response.writeHead(200, { ...eventStream, ...always })
  }
  return (message, status = 200) => {
    if (response.destroyed) return
    if (message === undefined) {
      stream()
      response.end()
      return
    }
    log({ dir: 'out', message })
    const last = message.id === id && message.method === undefined
    if (last && !response.headersSent && (status !== 200 || !streamed)) {
      response.writeHead(status, { 'content-type': 'application/json', ...always })
      response.end(JSON.stringify(message))
      return
    }
    stream()
    response.write(event(message))
    if (last) response.end()
  }
}

const decoded = (value) => {
  const inner = value?.match(/^=\?base64\?(.*)\?=$/)?.[1]
  return inner === undefined ? value : Buffer.from(inner, 'base64').toString()
}

const named = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** What a header repeats of the body has to be the same. */
function checkHeaders(headers, { method, params }) {
  const expected = {
    'mcp-protocol-version': params?._meta?.['io.modelcontextprotocol/protocolVersion'],
    'mcp-method': method,
    'mcp-name': named[method] && params[named[method]],
    'mcp-param-region':
      params?.name === 'param_header' ? (params.arguments?.region ?? undefined) : undefined,
  }
  for (const [name, value] of Object.entries(expected)) {
    if (value !== undefined && decoded(headers[name]) !== String(value)) {
      const message = `Header mismatch: ${name} is '${headers[name]}', the body says '${value}'`
      throw new Rejection(-32020, message, undefined, 400)
    }
  }
}

function modernEndpoint(world, log) {
  const peer = modernPeer(world, log)
  return async (request, response, message) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    if (message.id === undefined) {
      await peer.receive(message)
      return response.writeHead(202).end()
    }
    const send = reply(response, message, log)
    const closed = new AbortController()
    response.on('close', () => {
      if (response.writableFinished) return
      log({ event: 'closed', id: message.id })
      closed.abort()
    })
    try {
      checkHeaders(request.headers, message)
    } catch (thrown) {
      return send({ jsonrpc: '2.0', id: message.id, error: thrown.error }, thrown.status)
    }
    await peer.receive(message, send, closed.signal, request.headers['mcp-param-region'])
  }
}

function legacyEndpoint(world, log) {
  const sessions = new Map()

  function open() {
    const id = randomUUID()
    const session = { id, waiting: [], get: undefined }
    const push = (message) => {
      log({ dir: 'out', message, stream: 'GET' })
      if (session.get === undefined) session.waiting.push(message)
      else session.get.write(event(message))
    }
    session.peer = legacyPeer(world, push, log)
    sessions.set(id, session)
    return session
  }

  function standalone(session, request, response) {
    response.writeHead(200, { ...eventStream, 'mcp-session-id': session.id })
    response.flushHeaders()
    session.get = response
    for (const message of session.waiting.splice(0)) response.write(event(message))
    request.on('close', () => {
      if (session.get === response) session.get = undefined
    })
  }

  return async (request, response, message) => {
    const named = request.headers['mcp-session-id']
    const session = message?.method === 'initialize' ? open() : sessions.get(named)
    if (session === undefined) return response.writeHead(named ? 404 : 400).end()
    if (request.method === 'GET') return standalone(session, request, response)
    if (request.method === 'DELETE') {
      session.peer.close()
      sessions.delete(session.id)
      return response.writeHead(200).end()
    }
    if (message.id === undefined || message.method === undefined) {
      await session.peer.receive(message)
      return response.writeHead(202).end()
    }
    await session.peer.receive(
      message,
      reply(response, message, log, { 'mcp-session-id': session.id }),
    )
  }
}

export function speakHttp(era, port, world, log) {
  const endpoint = era === 'legacy' ? legacyEndpoint(world, log) : modernEndpoint(world, log)
  const server = createServer(async (request, response) => {
    if (request.url !== '/mcp') return response.writeHead(404).end()
    const body = request.method === 'POST' ? JSON.parse(await whole(request)) : undefined
    const { method, headers } = request
    log(body ? { dir: 'in', message: body, headers } : { event: method, headers })
    await endpoint(request, response, body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1', () =>
    process.stdout.write(`listening ${server.address().port}\n`),
  )
}
