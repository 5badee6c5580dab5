import { beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject, Message } from '../../../servers/src/protocol/message.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

/** A server of 2025 that asks what it is called with, and answers with what it was told. */
const asking: FakeServer = {
  resources: [{ uri: 'a:x', name: 'x' }],
  tools: [
    {
      name: 'ask',
      async run(question, { connection }) {
        const answer = await connection.events
          .onAsk(question as unknown as Message, new AbortController().signal)
          .catch(({ code, message }) => ({ code, message }))
        return text(JSON.stringify(answer))
      },
    },
    {
      name: 'wait',
      run: () => new Promise<JsonObject>((resolve) => ends.push(() => resolve(text('')))),
    },
  ],
}
/** Each ends a call of `wait`. */
let ends: (() => void)[] = []
beforeEach(() => {
  ends = []
})

function open(settings: object = {}) {
  const opened = openAggregator(
    { a: asking },
    { servers: [configOf('a', settings)], mode: 'full', prefix: false },
  )
  const { aggregator } = opened
  function join(era: 'legacy' | 'modern', capabilities: JsonObject) {
    const shown: string[] = []
    const client = createClient({
      era,
      capabilities,
      answer: ({ method }) => ({ shown: shown.push(method) }),
    })
    aggregator.gateway.clients.join(client.session)
    const send = (method: string, params: JsonObject = {}) =>
      answerRequest({ method, params }, client.context(), aggregator.deps)
    const ask = async (method: string, params: JsonObject = {}) => {
      const question = { name: 'ask', arguments: { method, params } }
      return JSON.parse(textOf(await send('tools/call', question))) as JsonObject
    }
    return { ...client, ask, send, shown }
  }
  return { ...opened, join }
}

describe('a server of 2025', () => {
  test('runs once for clients of all capabilities and both revisions', async () => {
    const { join, world, aggregator } = open()
    const clients = [
      join('modern', {}),
      join('modern', all),
      join('modern', { sampling: {} }),
      join('modern', {}),
      join('legacy', { roots: {} }),
    ]
    for (const { ask } of clients) await ask('roots/list')
    expect(world.starts).toEqual({ a: 1 })
    expect(world.connections[0]?.events.capabilities).toMatchObject({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: { listChanged: true },
    })
    await aggregator.close()
  })

  test('tells a subscriber of a resource that changed through a client of other capabilities', async () => {
    const { join, world, aggregator } = open()
    const subscriber = join('legacy', {})
    await subscriber.send('resources/subscribe', { uri: 'a:x' })
    await join('legacy', all).ask('roots/list')
    world.connections.at(-1)?.events.onNotification({
      method: 'notifications/resources/updated',
      params: { uri: 'a:x' },
    })
    expect(subscriber.told.map(({ method }) => method)).toContain('notifications/resources/updated')
    await aggregator.close()
  })

  test.each(['legacy', 'modern'] as const)(
    'is answered at once for a client of %s that cannot show a question',
    async (era) => {
      const { join, lines, aggregator } = open()
      const { ask, shown } = join(era, { sampling: {}, elicitation: {} })
      expect(await ask('elicitation/create', { mode: 'url', url: 'https://x.example' })).toEqual({
        action: 'cancel',
      })
      expect(await ask('roots/list')).toEqual({ roots: [] })
      expect(await ask('sampling/createMessage', { tools: [] })).toMatchObject({ code: -32601 })
      expect(shown).toEqual([])
      expect(lines.filter(({ kind }) => kind === 'ask')).toHaveLength(3)
      const plain = join(era, {})
      expect(await plain.ask('elicitation/create')).toEqual({ action: 'cancel' })
      expect(await plain.ask('sampling/createMessage')).toMatchObject({ code: -32601 })
      await aggregator.close()
    },
  )

  test('that asks is called for one session at a time: each question reaches the client it is for', async () => {
    const { join, aggregator, lines } = open()
    const clients = Array.from({ length: 12 }, (_, index) =>
      join(index % 2 === 0 ? 'legacy' : 'modern', index % 3 === 0 ? {} : all),
    )
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) =>
        clients[number % 12]?.ask('elicitation/create', { message: `of ${number % 12}` }),
      ),
    )
    for (const [number, answer] of answers.entries())
      expect(answer).toEqual(
        number % 3 === 0 ? { action: 'cancel' } : { shown: Math.floor(number / 12) + 1 },
      )
    const asked = lines.filter(({ kind }) => kind === 'ask')
    expect(asked).toHaveLength(1_000)
    await aggregator.close()
  })

  test('that never asks is called for several sessions at the same time', async () => {
    const { join, aggregator } = open()
    const [one, other] = [join('legacy', all), join('modern', all)]
    const first = one.send('tools/call', { name: 'wait' })
    await expect.poll(() => ends.length).toBe(1)
    ends.pop()?.()
    await first
    const both = [one, other].map(({ send }) => send('tools/call', { name: 'wait' }))
    await expect.poll(() => ends.length).toBe(2)
    for (const end of ends) end()
    await Promise.all(both)
    await aggregator.close()
  })

  test('a call that waits for the turn of another session ends when it is cancelled', async () => {
    const { join, aggregator } = open()
    const one = join('legacy', all)
    const first = one.send('tools/call', { name: 'wait' })
    await expect.poll(() => ends.length).toBe(1)
    const cancelled = new AbortController()
    const other = createClient({ era: 'legacy', capabilities: all })
    const second = answerRequest(
      { method: 'tools/call', params: { name: 'wait' } },
      other.context({ signal: cancelled.signal }),
      aggregator.deps,
    )
    cancelled.abort(new Error('cancelled'))
    await expect(second).rejects.toThrow('cancelled')
    expect(ends).toHaveLength(1)
    for (const end of ends) end()
    await first
    await aggregator.close()
  })

  test('with maxConcurrency does not show one client what it asks while it works for another', async () => {
    const { join, aggregator } = open({ limits: { maxConcurrency: 8 } })
    const waiting = join('legacy', all)
    const over = waiting.send('tools/call', { name: 'wait' })
    const { ask } = join('legacy', {})
    expect(await ask('elicitation/create')).toMatchObject({
      message: expect.stringContaining('several clients are calling a'),
    })
    expect(waiting.shown).toEqual([])
    for (const end of ends) end()
    await over
    await aggregator.close()
  })

  test('that asks outside of calls for folders gets those of the one client that has any', async () => {
    const { join, world, aggregator } = open()
    await join('legacy', {}).ask('x')
    const { shown, ask } = join('legacy', all)
    await ask('x')
    const { events } = world.connections[0] ?? {}
    const { signal } = new AbortController()
    shown.length = 0
    await events?.onAsk({ method: 'roots/list' }, signal)
    expect(shown).toEqual(['roots/list'])
    await expect(events?.onAsk({ method: 'elicitation/create' }, signal)).rejects.toThrow()
    expect(shown).toEqual(['roots/list'])
    await aggregator.close()
  })

  test('gets a notification of changed roots when a client with roots follows one without', async () => {
    const { join, world, aggregator } = open()
    await join('legacy', {}).ask('roots/list')
    const told: string[] = []
    const [connection] = world.connections
    if (connection) connection.notify = ({ method }) => void told.push(method)
    const { ask } = join('modern', all)
    await ask('x')
    await ask('x')
    expect(told).toEqual(['notifications/roots/list_changed'])
    await aggregator.close()
  })

  test('with an instance for each session has no more for other capabilities', async () => {
    const { join, world, aggregator } = open({ per: 'session' })
    const { send, context } = join('modern', {})
    await send('tools/call', { name: 'ask', arguments: { method: 'x' } })
    const other = context({ capabilities: all })
    const params = { name: 'ask', arguments: { method: 'x' } }
    await answerRequest({ method: 'tools/call', params }, other, aggregator.deps)
    await join('modern', {}).ask('x')
    expect(world.starts).toEqual({ a: 2 })
    await aggregator.close()
  })
})
