import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { serveStdio } from '../../src/server/serve-stdio.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

/** A client of 2025 that writes lines, and what it gets. */
function open(fake: FakeServer) {
  const { aggregator, world, lines } = openAggregator(
    { a: fake },
    { servers: [configOf('a')], mode: 'full' },
  )
  const [input, output] = [new PassThrough(), new PassThrough()]
  const got: JsonObject[] = []
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean)) got.push(JSON.parse(line))
  })
  const { close } = serveStdio(aggregator, { input, output })
  const write = (...messages: object[]): void => {
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    input.write(`${lines.join('\n')}\n`)
  }
  const answerTo = async (id: number): Promise<JsonObject> => {
    await expect.poll(() => got.some((message) => message['id'] === id)).toBe(true)
    return got.find((message) => message['id'] === id) as JsonObject
  }
  return { write, answerTo, got, world, lines, close }
}

const initialize = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '0' },
  },
}
const call = (id: number, more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name: 'a__x', arguments: {}, ...more },
})

test('a call right behind the first request has its capabilities', async () => {
  const { write, got, answerTo, close } = open({
    tools: [
      {
        name: 'x',
        async run(_args, { connection }) {
          const question = { method: 'elicitation/create', params: { message: 'who?' } }
          const answer = await connection.events.onAsk(question, AbortSignal.timeout(9_000))
          return text(String(answer['action']))
        },
      },
    ],
  })
  write(initialize, { method: 'notifications/initialized' }, call(2))
  const asked = () => got.find(({ method }) => method === 'elicitation/create')
  await expect.poll(asked).toBeDefined()
  write({ id: asked()?.['id'], result: { action: 'decline' } })
  expect(await answerTo(2)).toMatchObject({ result: { content: [{ text: 'decline' }] } })
  await close()
})

test('a call gets progress, and no answer once it is cancelled', async () => {
  let aborted = false
  const { write, answerTo, got, close } = open({
    tools: [
      {
        name: 'x',
        run: (_, { progress, signal, params }) => {
          progress({ progress: 1 })
          if (params['arguments'] === undefined) return text('done')
          return new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => {
              aborted = true
              reject(signal.reason)
            })
          })
        },
      },
    ],
  })
  write(initialize, { method: 'notifications/initialized' })
  await answerTo(1)
  write(call(2, { _meta: { progressToken: 'p' } }))
  await expect
    .poll(() => got)
    .toContainEqual(expect.objectContaining({ params: { progressToken: 'p', progress: 1 } }))
  write({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'no' } })
  await expect.poll(() => aborted).toBe(true)
  write(call(3, { name: 'nothing' }))
  expect(await answerTo(3)).toMatchObject({ error: { code: expect.any(Number) } })
  expect(got.some((message) => message['id'] === 2)).toBe(false)
  await close()
})

test('the journal has the name that a client of 2025 gives itself, cleaned, cut and without secrets', async () => {
  const { write, answerTo, lines, close } = open({ tools: [{ name: 'x', run: () => text('') }] })
  const secret = `sk-${'a'.repeat(40)}`
  const clientInfo = { name: `my\n${secret} ${'client '.repeat(20)}`, version: '0' }
  const params = { ...initialize.params, clientInfo }
  write({ ...initialize, params }, { method: 'notifications/initialized' }, call(2))
  await answerTo(2)
  await close()
  const [{ client = '' } = {}] = lines.filter(({ kind }) => kind === 'call')
  expect(client).toMatch(/^my\\u\{A\}\[redacted\] client client/)
  expect(client).toHaveLength(60)
})

test('a client whose first request is for a stream of changes gets them', async () => {
  const { write, got, world, close } = open({
    tools: [{ name: 'x' }],
    resources: [{ uri: 'a:x', name: 'x' }],
  })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const notifications = { resourceSubscriptions: ['a:x'] }
  write({ id: 1, method: 'subscriptions/listen', params: { _meta, notifications } })
  await expect
    .poll(() => world.requests.map(({ message }) => message))
    .toContainEqual({ method: 'follow', params: { uris: ['a:x'] } })
  const events = world.connections.at(-1)?.events
  const method = 'notifications/resources/updated'
  events?.onNotification({ method, params: { uri: 'a:x' } })
  await expect.poll(() => got.some((message) => message['method'] === method)).toBe(true)
  expect(got.filter(({ id }) => id !== undefined)).toEqual([])
  await close()
})
