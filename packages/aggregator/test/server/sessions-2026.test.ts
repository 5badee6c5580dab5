import { describe, expect, test } from 'vitest'
import type { LimitSettings } from '../../../servers/src/config/limit-settings.ts'
import type { ServerConfig } from '../../../servers/src/config/server-config.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { type Access, sessionKey } from '../../../servers/src/protocol/request-context.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const era = 'io.modelcontextprotocol/'

interface Sender {
  access?: Access
  address?: string
  agent?: string
  name?: string
  handle?: unknown
}

function open(settings: Partial<ServerConfig> = {}, limits?: LimitSettings) {
  let connections = 0
  const browser: FakeServer = {
    onStart: () => void connections++,
    tools: [
      {
        name: 'pid',
        run: (_args, { connection }) =>
          text(`${opened.world.connections.indexOf(connection)} ${'word '.repeat(200)}`),
      },
    ],
  }
  const servers = [configOf('browser', { per: 'session', ...settings })]
  const opened = openAggregator({ browser }, { servers, limits })
  const handler = createHttpHandler(opened.aggregator)
  async function ask(method: string, params: JsonObject, sender: Sender = {}) {
    const { access, address = '127.0.0.1', agent = 'one', name = 'one', handle } = sender
    const _meta = {
      [`${era}protocolVersion`]: '2026-07-28',
      [`${era}clientInfo`]: { name, version: '1' },
      [`${era}clientCapabilities`]: {},
      ...(handle !== undefined && { [sessionKey]: handle }),
    }
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params['name'] ? { 'mcp-name': String(params['name']) } : {}),
        'user-agent': agent,
      },
      body: JSON.stringify(body),
    })
    const response = await handler.fetch(request, {
      authInfo: { clientId: address, ...(access && { extra: { ...access } }) },
    })
    const said = await response.text()
    return JSON.parse(said.replace(/^[\s\S]*?(?=\{)/, '')) as {
      result: JsonObject & { _meta?: JsonObject }
      error?: { message: string }
    }
  }
  const call = async (sender?: Sender) => {
    const params = { name: 'call', arguments: { module: 'browser', tool_name: 'pid' } }
    const { result, error } = await ask('tools/call', params, sender)
    const [block] = (result?.['content'] ?? [{ text: error?.message }]) as { text: string }[]
    return block?.text ?? ''
  }
  const list = async (sender?: Sender) =>
    (await ask('tools/list', {}, sender)).result._meta?.[sessionKey]
  return { ...opened, ask, call, list, started: () => connections }
}

const ada = { caller: 'token:ada#1', isGuest: true }

describe('an instance for each session', () => {
  test('is refused for requests that name none, with the reason', async () => {
    const { call, world } = open()
    expect(await call()).toContain('this request names none')
    expect(await call()).toContain(`repeat _meta["${sessionKey}"]`)
    expect(world.requests.filter(({ message }) => message.method === 'tools/call')).toEqual([])
  })

  test('is that of the handle that a list of tools names', async () => {
    const { call, list } = open()
    const [one, other] = [await list(), await list()]
    expect(one).not.toBe(other)
    const of = async (handle: unknown) => (await call({ handle })).split(' ')[0]
    expect(await of(one)).toBe(await of(one))
    expect(await of(one)).not.toBe(await of(other))
  })

  test('two like clients with one token have one without handles, and two with them', async () => {
    const { call, list } = open()
    const sender = { access: ada }
    expect(await call(sender)).toBe(await call(sender))
    const [one, other] = [await list(sender), await list(sender)]
    const [first, second] = [
      await call({ ...sender, handle: one }),
      await call({ ...sender, handle: other }),
    ]
    expect(new Set([first, second, await call(sender)]).size).toBe(3)
  })

  test('is not that of a handle of another client', async () => {
    const { call, list } = open()
    const handle = await list({ access: ada })
    expect(await call({ access: { caller: 'token:bob#2' }, handle })).toContain('Session not found')
    expect(await call({ handle })).toContain('Session not found')
    expect(await call({ access: ada, handle: 'guess' })).toContain('Session not found')
  })

  test('does not follow from what a client says of itself: 25 names start one process', async () => {
    const { call, started } = open()
    for (let count = 0; count < 25; count++)
      await call({ access: ada, agent: `u${count}`, name: `n${count}` })
    // With the one that read the lists.
    expect(started()).toBeLessThanOrEqual(2)
  })

  test('is one of at most 8 for a caller, or as many as the entry says', async () => {
    for (const [settings, most] of [
      [{}, 8],
      [{ maxInstances: 2 }, 2],
    ] as const) {
      const { call, list, started } = open(settings)
      const said = []
      for (let count = 0; count < 12; count++)
        said.push(await call({ access: ada, handle: await list({ access: ada }) }))
      expect(started()).toBeLessThanOrEqual(most)
      expect(said.at(-1)).toContain('raise maxInstances of browser')
    }
  })
})

test('the journal has the name of the client of each request, though they share a session', async () => {
  const { ask, aggregator, lines } = open()
  const params = { name: 'search_tools', arguments: { query: 'pid' } }
  await Promise.all(['a', 'b'].map((name) => ask('tools/call', params, { access: ada, name })))
  await ask('tools/list', {}, { access: ada, name: 'c' })
  await ask('tools/call', params, { access: ada, name: 'a' })
  await aggregator.close()
  const names = (kind: string) => lines.filter((line) => line.kind === kind).map((l) => l.client)
  expect(names('meta').sort()).toEqual(['a', 'a', 'b'])
  expect(names('list')).toEqual(['c'])
})

test('one caller does not end the sessions of others', async () => {
  const { call, list, ask } = open()
  const bob = { access: { caller: 'token:bob#2', isGuest: true } }
  const own = await list(bob)
  const before = await call({ ...bob, handle: own })
  for (let count = 0; count < 1_100; count++) {
    const handle = await list({ access: ada })
    if (count % 10 === 0) await ask('prompts/list', {}, { access: ada, handle })
  }
  expect(await call({ ...bob, handle: own })).toBe(before)
})

test('names, agents and handles do not renew a budget', async () => {
  const { call, list } = open({ per: 'replica' }, { sessionTokens: 100 })
  await call({ access: ada })
  for (let count = 0; count < 10; count++) {
    const handle = await list({ access: ada })
    const sender = { access: ada, agent: `u${count}`, name: `n${count}` }
    expect(await call({ ...sender, ...(handle ? { handle } : {}) })).toContain('a budget of 100')
  }
  for (const mode of ['list', 'full'] as const)
    expect(await call({ access: { ...ada, mode } })).toContain('a budget of 100')
})
