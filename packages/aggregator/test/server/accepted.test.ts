import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { acceptedIn } from '../../src/server/accepted.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { configOf, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const json = 'application/json'
const stream = 'text/event-stream'

test.each([
  [undefined, true, true],
  ['', true, true],
  ['*/*', true, true],
  ['application/*', true, false],
  ['text/*;q=0.5', false, true],
  ['Application/JSON', true, false],
  [`${json}; charset=utf-8`, true, false],
  [`${json};q=0, ${stream}`, false, true],
  [`${json}, ${stream};q=0`, true, false],
  [`${json};q=0, */*`, false, true],
  ['application/*;q=0, */*;q=0.1', false, true],
  ['*/*;q=0', false, false],
  ['*/*; q=0.0', false, false],
  ['text/html', false, false],
  ['application/jsonp', false, false],
  [`${json};q=odd`, true, false],
])('Accept: %s', (header, isJson, isStream) => {
  expect(acceptedIn(header)).toEqual({ json: isJson, stream: isStream })
})

const clientInfo = { name: 'test', version: '1' }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

function serve() {
  const fake = { tools: [{ name: 'x', run: () => text('here') }] }
  const { aggregator } = openAggregator({ s: fake }, { servers: [configOf('s')] })
  const handler = createHttpHandler(aggregator)
  onTestFinished(() => handler.close())
  return async (body: JsonObject, headers: Record<string, string>, isParsed = false) => {
    const init = { method: 'POST', headers: { 'content-type': json, ...headers } }
    const message = { jsonrpc: '2.0', id: 1, ...body }
    const request = new Request('http://localhost/mcp', { ...init, body: JSON.stringify(message) })
    return isParsed ? handler.fetch(request, { parsedBody: message }) : handler.fetch(request)
  }
}

/** The single answer in a response of either type. */
async function answerIn(response: Response): Promise<JsonObject> {
  const body = await response.text()
  const type = response.headers.get('content-type')
  if (type?.startsWith(json)) return JSON.parse(body)
  const data = body.match(/^data: \{.*$/gm) ?? []
  expect(data).toHaveLength(1)
  return JSON.parse(String(data[0]).slice('data: '.length))
}

const call = {
  method: 'tools/call',
  params: { name: 'call', arguments: { module: 's', tool_name: 'x', params: {} } },
}

test.each([
  ['*/*', undefined],
  ['application/*', json],
  [json, json],
  [stream, stream],
  ['text/*', stream],
  [`${json};q=0, */*`, stream],
  [`${stream};q=0, */*`, json],
])('a client that accepts %s is served', async (accept, type) => {
  const ask = serve()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await ask({ method: 'initialize', params }, { accept })
  expect(opened.status).toBe(200)
  if (type) expect(opened.headers.get('content-type')).toContain(type)
  expect(await answerIn(opened)).toHaveProperty('result.serverInfo')
  const session = { accept, 'mcp-session-id': String(opened.headers.get('mcp-session-id')) }
  const called = await ask(call, session, true)
  if (type) expect(called.headers.get('content-type')).toContain(type)
  expect(await answerIn(called)).toHaveProperty('result.content.0.text', 'here')
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'call',
  }
  const modern = { ...call, params: { ...call.params, _meta: meta } }
  const answered = await ask(modern, { accept, ...headers })
  if (type) expect(answered.headers.get('content-type')).toContain(type)
  expect(await answerIn(answered)).toHaveProperty('result.content.0.text', 'here')
})

test.each(['text/html', '*/*;q=0', `${json};q=0`])(
  'a client that accepts %s is not',
  async (accept) => {
    const response = await serve()({ method: 'initialize', params: {} }, { accept })
    expect(response.status).toBe(406)
    expect(await response.text()).toContain('must allow application/json or text/event-stream')
  },
)

test('a stream of changes needs a client that accepts streams', async () => {
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
    accept: json,
  }
  const message = { method: 'subscriptions/listen', params: { notifications: {}, _meta: meta } }
  expect((await serve()(message, headers)).status).toBe(406)
})
