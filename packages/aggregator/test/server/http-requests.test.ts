import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { withResolvers } from '../../../servers/src/protocol/with-resolvers.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { FakeResponse } from './fake-response.ts'

interface Reply {
  isStream: boolean
  messages: JsonObject[]
}

const saidBy = ({ isStream, messages }: FakeResponse): Reply => ({ isStream, messages })

const client = { access: undefined, clientId: 'test' }

/** A client of 2025 over HTTP, whose requests are passed on as a route does. */
async function open(fake: FakeServer, capabilities: JsonObject = {}) {
  const tools = [...(fake.tools ?? []), { name: 'warm', run: () => text('') }]
  const { aggregator } = openAggregator(
    { a: { ...fake, tools } },
    { servers: [configOf('a', { timeoutMs: 60_000 })], mode: 'full' },
  )
  const handler = createHttpHandler(aggregator)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  async function post(
    given: JsonObject,
    more: Record<string, string> = {},
    plain = new FakeResponse(),
  ): Promise<Reply> {
    const message = { jsonrpc: '2.0', ...given }
    const own = { ...headers, ...more }
    const posted = { method: 'POST', headers: own }
    if (await handler.answerPlain(posted, message, plain.response, client)) return saidBy(plain)
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: own,
      body: JSON.stringify(message),
    })
    const response = await handler.fetch(request, { parsedBody: message })
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? ''
    const read = new FakeResponse()
    read.writeHead(response.status, { 'content-type': response.headers.get('content-type') })
    read.end(await response.text())
    return saidBy(read)
  }
  /** Reconnects after an event; false if the reply has ended. */
  const resume = (event: string, response: FakeResponse) => {
    const got = { method: 'GET', headers: { ...headers, 'last-event-id': event } }
    return handler.answerPlain(got, undefined, response.response, client)
  }
  const clientInfo = { name: 'test', version: '0' }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
  await post({ id: 0, method: 'initialize', params })
  headers['mcp-protocol-version'] = '2025-11-25'
  await post({ method: 'notifications/initialized' })
  await post({ id: 'list', method: 'tools/list' })
  // The first call loads modules.
  const warm = { name: 'a__warm', arguments: {} }
  await post({ id: 'warm', method: 'tools/call', params: warm })
  const call = (id: number, more: JsonObject = {}, response?: FakeResponse) =>
    post(
      { id, method: 'tools/call', params: { name: 'a__x', arguments: {}, ...more } },
      {},
      response,
    )
  return { post, call, resume, close: () => handler.close() }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const result = (said: string) => ({ result: { content: [{ text: said }] } })

test('a short call is answered without a stream', async () => {
  const { call, close } = await open({ tools: [{ name: 'x', run: () => text('done') }] })
  expect(await call(1)).toMatchObject({ isStream: false, messages: [{ id: 1, ...result('done') }] })
  await close()
})

/** A reply on a stream that has begun, as to a call that takes long. */
async function longCall(server: Awaited<ReturnType<typeof open>>, response = new FakeResponse()) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const reply = server.call(1, {}, response)
  await vi.advanceTimersByTimeAsync(1_000)
  return { response, reply }
}

afterEach(() => vi.useRealTimers())

test('a long call is answered on a stream, which is kept open, and is made once', async () => {
  const done = withResolvers<void>()
  const run = vi.fn(() => done.promise.then(() => text('late')))
  const server = await open({ tools: [{ name: 'x', run }] })
  const { response, reply } = await longCall(server)
  expect(response.isStream).toBe(true)
  expect(response.text).toMatch(/^id: \d+\nretry: 1000\ndata: \n\n$/)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(response.text).toMatch(/: keepalive\n\n$/)
  done.resolve()
  expect(await reply).toMatchObject({ messages: [{ id: 1, ...result('late') }] })
  expect(response.writableEnded).toBe(true)
  expect(run).toHaveBeenCalledOnce()
  await server.close()
})

test('a call of 900 ms is answered without a stream', async () => {
  const done = withResolvers<void>()
  const run = () => done.promise.then(() => text('soon'))
  const { call, close } = await open({ tools: [{ name: 'x', run }] })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const reply = call(1)
  await vi.advanceTimersByTimeAsync(900)
  done.resolve()
  expect(await reply).toMatchObject({ isStream: false, messages: [result('soon')] })
  await close()
})

test('a client that reconnects gets what it missed, and the reply', async () => {
  const done = withResolvers<void>()
  let step = (_: number): void => {}
  const server = await open({
    tools: [
      {
        name: 'x',
        async run(_args, { progress }) {
          step = (at) => progress({ progress: at })
          step(1)
          await done.promise
          return text('late')
        },
      },
    ],
  })
  const first = new FakeResponse()
  const reply = server.call(1, { _meta: { progressToken: 'p' } }, first)
  await expect.poll(() => first.messages).toHaveLength(1)
  first.destroy()
  step(2)
  await nextTurn()
  const second = new FakeResponse()
  expect(await server.resume(first.ids.at(-1) ?? '', second)).toBe(true)
  step(3)
  done.resolve()
  await reply
  expect(first.messages).toHaveLength(1)
  expect(second.messages).toMatchObject([
    { params: { progress: 2 } },
    { params: { progress: 3 } },
    result('late'),
  ])
  // From then on, the SDK replays it.
  expect(await server.resume(first.ids[0] ?? '', new FakeResponse())).toBe(false)
  await server.close()
})

test('a server asks on the stream of the call, and gets the answer', async () => {
  const ask = {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: {} },
  }
  const server = await open(
    {
      tools: [
        {
          name: 'x',
          run: async (_args, { connection }) => {
            const message = { method: 'elicitation/create', params: ask }
            return text(
              JSON.stringify(await connection.events.onAsk(message, AbortSignal.timeout(9_000))),
            )
          },
        },
      ],
    },
    { elicitation: {} },
  )
  const response = new FakeResponse()
  const reply = server.call(1, {}, response)
  await expect.poll(() => response.messages).toMatchObject([{ method: 'elicitation/create' }])
  const [{ id } = {}] = response.messages
  await server.post({ id, result: { action: 'decline' } })
  await reply
  expect(response.messages[1]).toMatchObject({ id: 1, ...result('{"action":"decline"}') })
  await server.close()
})

test('a client that takes no stream gets the reply only', async () => {
  const run: FakeServer['tools'] = [
    {
      name: 'x',
      run: (_args, { progress }) => {
        progress({ progress: 1 })
        return text('done')
      },
    },
  ]
  const { post, close } = await open({ tools: run })
  const params = { name: 'a__x', arguments: {}, _meta: { progressToken: 'p' } }
  const reply = await post({ id: 1, method: 'tools/call', params }, { accept: 'application/json' })
  expect(reply).toMatchObject({ isStream: false, messages: [result('done')] })
  await close()
})

test('a session that ends, ends its calls', async () => {
  let aborted = false
  const server = await open({
    tools: [
      {
        name: 'x',
        run: (_args, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              aborted = true
              reject(new Error('ended'))
            })
          }),
      },
    ],
  })
  const { response, reply } = await longCall(server)
  vi.useRealTimers()
  await server.close()
  await expect.poll(() => aborted).toBe(true)
  await reply
  expect(response.messages).toEqual([])
  expect(response.writableEnded).toBe(true)
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
