import { expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import type { Session } from '../../../servers/src/protocol/request-context.ts'
import type { Aggregator } from '../../src/server/aggregator-options.ts'
import { HttpRequests } from '../../src/server/http-requests.ts'
import type { PlainRequest } from '../../src/server/plain-request.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

interface Reply {
  isStream: boolean
  messages: JsonObject[]
}

/** A client of 2025 over HTTP, whose requests are passed on as a route does. */
async function open(fake: FakeServer) {
  const { aggregator } = openAggregator({ a: fake }, { servers: [configOf('a')], mode: 'full' })
  const handler = createHttpHandler(aggregator)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  async function post(given: JsonObject, more: Record<string, string> = {}): Promise<Reply> {
    const message = { jsonrpc: '2.0', ...given }
    const own = { ...headers, ...more }
    const client = { access: undefined, clientId: 'test' }
    const quick = await handler.answerPlain(own, message, client)
    if (quick !== undefined) return { isStream: false, messages: [JSON.parse(quick)] }
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: own,
      body: JSON.stringify(message),
    })
    const response = await handler.fetch(request, { parsedBody: message })
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? ''
    const said = await response.text()
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const parts = isStream ? [...said.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data) : [said]
    return { isStream, messages: parts.filter(Boolean).map((part) => JSON.parse(`${part}`)) }
  }
  const clientInfo = { name: 'test', version: '0' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  await post({ id: 0, method: 'initialize', params })
  await post({ method: 'notifications/initialized' })
  await post({ id: 'list', method: 'tools/list' })
  const call = (id: number, more: JsonObject = {}) =>
    post({ id, method: 'tools/call', params: { name: 'a__x', arguments: {}, ...more } })
  return { post, call, close: () => handler.close() }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const result = (said: string) => ({ result: { content: [{ text: said }] } })

test('a short call is answered without a stream', async () => {
  const { call, close } = await open({ tools: [{ name: 'x', run: () => text('done') }] })
  // The first one loads modules.
  await call(0)
  expect(await call(1)).toMatchObject({ isStream: false, messages: [{ id: 1, ...result('done') }] })
  await close()
})

test('a long call goes on in a stream, and is made once', async () => {
  const run = vi.fn(async () => {
    await wait(120)
    return text('late')
  })
  const { call, close } = await open({ tools: [{ name: 'x', run }] })
  expect(await call(1)).toMatchObject({ isStream: true, messages: [{ id: 1, ...result('late') }] })
  expect(run).toHaveBeenCalledOnce()
  await close()
})

test('a call goes on in a stream from 50 ms on', async () => {
  vi.useFakeTimers()
  try {
    const aggregator = { answer: () => new Promise(() => {}) } as unknown as Aggregator
    const goesOn = vi.fn()
    const session = { era: 'legacy' } as Session
    void new HttpRequests(aggregator).answer(1, {} as PlainRequest, session).then(goesOn)
    await vi.advanceTimersByTimeAsync(49)
    expect(goesOn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(goesOn).toHaveBeenCalledWith(undefined)
  } finally {
    vi.useRealTimers()
  }
})

test('what a call says before its result comes before it', async () => {
  const { call, close } = await open({
    tools: [
      {
        name: 'x',
        run: (_args, { progress }) => {
          progress({ progress: 1 })
          progress({ progress: 2 })
          return text('done')
        },
      },
    ],
  })
  const { isStream, messages } = await call(1, { _meta: { progressToken: 'p' } })
  expect(isStream).toBe(true)
  expect(messages).toMatchObject([
    { params: { progress: 1 } },
    { params: { progress: 2 } },
    result('done'),
  ])
  await close()
})

test.each([10, 80])('a call is cancelled after %i ms', async (after) => {
  let aborted = false
  const { call, post, close } = await open({
    tools: [
      {
        name: 'x',
        run: (_args, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              aborted = true
              reject(new Error('cancelled'))
            })
          }),
      },
    ],
  })
  void call(1).catch(() => {})
  await wait(after)
  await post({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => aborted).toBe(true)
  await close()
})

test('two calls with the same id get their own results', async () => {
  const { call, close } = await open({
    tools: [
      {
        name: 'x',
        async run(args) {
          await wait(Number(args['ms']))
          return text(`${args['ms']}`)
        },
      },
    ],
  })
  const said = [90, 5, 20].map((ms) => call(1, { arguments: { ms } }))
  expect(await Promise.all(said)).toMatchObject(
    [90, 5, 20].map((ms) => ({ messages: [result(`${ms}`)] })),
  )
  await close()
})

test.each([
  ['an unknown session', { 'mcp-session-id': 'other' }, -32001],
  ['a client that takes neither JSON nor a stream', { accept: 'text/html' }, -32000],
  ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }, expect.any(Number)],
])('%s is refused, and calls nothing', async (_who, headers, code) => {
  const run = vi.fn(() => text('done'))
  const { post, close } = await open({ tools: [{ name: 'x', run }] })
  const params = { name: 'a__x', arguments: {} }
  const { messages } = await post({ id: 1, method: 'tools/call', params }, headers)
  expect(messages).toMatchObject([{ error: { code } }])
  expect(run).not.toHaveBeenCalled()
  await close()
})
