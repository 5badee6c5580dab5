import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Era, JsonObject } from '../../../servers/src/protocol/message.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { serveStdio } from '../../src/server/serve-stdio.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { FakeResponse } from './fake-response.ts'

const withMeta = { ...text('m'), _meta: { own: 1 } }
const server: FakeServer = {
  era: 'modern',
  tools: [
    { name: 'x', run: () => text('done') },
    { name: 'meta', run: () => withMeta },
    { name: 'empty', run: () => ({}) },
    { name: 'unusual', run: () => ({ ...text('u'), resultType: 'own' }) },
    { name: 'failing', run: () => ({ ...text('no'), isError: true }) },
    { name: 'echo', run: (_args, { params }) => text(JSON.stringify(params['_meta'] ?? null)) },
  ],
  prompts: [{ name: 'p' }],
  resources: [{ uri: 'own://r', name: 'r' }],
  answer({ method, params }) {
    if (method === 'prompts/get') return { messages: [] }
    if (method === 'completion/complete') return { completion: { values: ['a'] } }
    if (params?.['uri'] !== 'own://r') throw Object.assign(new Error('none'), { code: -32002 })
    return { contents: [{ uri: 'own://r', text: 't' }], ttlMs: 5, cacheScope: 'public' }
  },
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
}
const requests: { method: string; params: JsonObject }[] = [
  ...['x', 'meta', 'empty', 'unusual', 'failing', 'none'].map((name) => ({
    method: 'tools/call',
    params: { name: `a__${name}`, arguments: {} },
  })),
  { method: 'tools/call', params: { name: 'a__echo', _meta: { traceparent: '00-0-0-00' } } },
  { method: 'prompts/list', params: {} },
  { method: 'resources/list', params: {} },
  { method: 'resources/templates/list', params: {} },
  { method: 'prompts/get', params: { name: 'a__p' } },
  { method: 'resources/read', params: { uri: 'own://r' } },
  { method: 'resources/read', params: { uri: 'own://none' } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'a__p' }, argument: { name: 'q', value: '' } },
  },
]

type Exchange = (message: JsonObject) => Promise<JsonObject>

/** With `isBySdk`, nothing is read as a plain request. */
function open(isBySdk = false) {
  const opened = openAggregator({ a: server }, { servers: [configOf('a')], mode: 'full' })
  if (isBySdk) opened.aggregator.requests.read = () => undefined
  return opened
}

function overStdio(isBySdk: boolean): { exchange: Exchange; close: () => Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const waiting = new Map<unknown, (message: JsonObject) => void>()
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean)) {
      const message = JSON.parse(line)
      waiting.get(message.id)?.(message)
    }
  })
  const { close } = serveStdio(open(isBySdk).aggregator, { input, output })
  return {
    close,
    exchange: (message) =>
      new Promise((resolve) => {
        waiting.set(message['id'], resolve)
        input.write(`${JSON.stringify(message)}\n`)
      }),
  }
}

function overHttp(isBySdk: boolean): {
  exchange: Exchange
  close: () => Promise<void>
  plain: string[]
} {
  const handler = createHttpHandler(open(isBySdk).aggregator)
  const session: Record<string, string> = {}
  const plain: string[] = []
  return {
    plain,
    close: () => handler.close(),
    async exchange(message) {
      const { method, params } = message as { method: string; params: JsonObject }
      const version = (params['_meta'] as JsonObject | undefined)?.[Object.keys(envelope)[0] ?? '']
      const name = params['name'] ?? params['uri']
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version !== undefined && {
          'mcp-protocol-version': String(version),
          'mcp-method': method,
          ...(name !== undefined && { 'mcp-name': String(name) }),
        }),
        ...session,
      }
      const client = { access: undefined, clientId: 'test' }
      const reply = new FakeResponse()
      const posted = { method: 'POST', headers }
      if (await handler.answerPlain(posted, message, reply.response, client)) {
        plain.push(method)
        return reply.messages[0] ?? {}
      }
      const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' })
      const response = await handler.fetch(request, { parsedBody: message })
      const id = response.headers.get('mcp-session-id')
      if (id !== null) session['mcp-session-id'] = id
      const body = await response.text()
      return JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body)
    },
  }
}

async function answers(exchange: Exchange, era: Era): Promise<JsonObject[]> {
  let id = 0
  const ask = ({ method, params }: { method: string; params: JsonObject }) => {
    const meta = { ...(params['_meta'] as object), ...(era === 'modern' && envelope) }
    const all = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params
    return exchange({ jsonrpc: '2.0', id: ++id, method, params: all })
  }
  if (era === 'legacy') await ask(initialize)
  // The first list starts the server, and the first request has its envelope checked.
  await ask({ method: 'tools/list', params: {} })
  const replies: JsonObject[] = []
  for (const request of requests) replies.push(await ask(request))
  return replies
}

const eras: Era[] = ['legacy', 'modern']

test.each(eras)('over stdio, %s answers are the same with and without the SDK', async (era) => {
  const [plain, sdk] = [overStdio(false), overStdio(true)]
  expect(await answers(plain.exchange, era)).toEqual(await answers(sdk.exchange, era))
  await Promise.all([plain.close(), sdk.close()])
})

test.each(eras)('over HTTP, %s answers are the same with and without the SDK', async (era) => {
  const [plain, sdk] = [overHttp(false), overHttp(true)]
  expect(await answers(plain.exchange, era)).toEqual(await answers(sdk.exchange, era))
  expect(new Set(plain.plain)).toEqual(new Set(requests.map(({ method }) => method)))
  expect(sdk.plain).toEqual([])
  await Promise.all([plain.close(), sdk.close()])
})

test.each<[string, object, object, object?]>([
  ['another version', { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }, {}],
  ['capabilities that are not an object', { [Object.keys(envelope)[2] ?? '']: [] }, {}],
  ['a log level that is null', { 'io.modelcontextprotocol/logLevel': null }, {}],
  ['another method in its header', {}, { 'mcp-method': 'tools/list' }],
  ['another name in its header', {}, { 'mcp-name': 'a__other' }],
  ['input for a question', {}, {}, { inputResponses: {} }],
])('a request of 2026 with %s is left to the SDK', async (_what, meta, headers, more = {}) => {
  const handler = createHttpHandler(open().aggregator)
  const client = { access: undefined, clientId: 'test' }
  const ask = async (own: object, ownHeaders: object, params: object = {}) => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'a__x', arguments: {}, _meta: { ...envelope, ...own }, ...params },
    }
    const all: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a__x',
      ...ownHeaders,
    }
    const posted = { method: 'POST', headers: all }
    if (await handler.answerPlain(posted, message, new FakeResponse().response, client))
      return 'plain'
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: all,
      body: '{}',
    })
    await (await handler.fetch(request, { parsedBody: message })).text()
    return 'SDK'
  }
  expect(await ask({}, {})).toBe('SDK')
  expect(await ask({}, {})).toBe('plain')
  expect(await ask(meta, headers, more)).toBe('SDK')
  expect(await ask(meta, headers, more)).toBe('SDK')
  await handler.close()
})
