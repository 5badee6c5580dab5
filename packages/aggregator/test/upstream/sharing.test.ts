import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import type { ServerConfig } from '../../../servers/src/config/server-config.ts'
import type { JsonObject, Message } from '../../../servers/src/protocol/message.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import { maxConcurrencyOf, sharingOf } from '../../src/upstream/sharing.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const unset = (more: object = {}): ServerConfig => configOf('a', { per: undefined, ...more })
const npx = (name: string): object => ({ command: 'npx', args: ['-y', name] })
const tools = (...names: string[]): JsonObject[] => names.map((name) => ({ name }))

describe('clients of a shared process share an instance', () => {
  test.each([
    ['all', 'a web API in the list', unset(npx('@upstash/context7-mcp@latest')), []],
    ['all', 'one that has a folder', unset({ cwd: '/srv/notes' }), tools('read_note')],
    ['all', 'a URL', unset({ type: 'http', url: 'https://x.example' }), tools('create_issue')],
    ['all', 'one that an entry shares', unset({ per: 'replica' }), tools('browser_click')],
    ['folder', 'one without a folder', unset(), tools('read_file', 'write_file', 'commit')],
    ['folder', 'a relative program', unset({ per: 'replica', command: './serve' }), []],
    ['folder', 'a relative argument', unset({ per: 'replica', args: ['../data'] }), []],
    ['session', 'the pages of a browser', unset(npx('@playwright/mcp')), tools('browser_click')],
    ['session', 'a program that is debugged', unset(), tools('setBreakpoint')],
    ['session', 'a URL', unset({ type: 'http', url: 'https://x.example' }), tools('login')],
    [
      'session',
      'the thoughts of a session',
      unset(npx('@modelcontextprotocol/server-sequential-thinking')),
      [],
    ],
    ['session', 'as an entry says', unset({ ...npx('@upstash/context7-mcp'), per: 'session' }), []],
  ] as const)('%s: %s', (sharing, _what, server, offered) => {
    expect(sharingOf(server, offered).with).toBe(sharing)
  })

  test('and a server that loses what is written at the same time gets one call at a time', () => {
    const memory = npx('@modelcontextprotocol/server-memory')
    const path = '/srv/node_modules/@modelcontextprotocol/server-memory/dist/index.js'
    for (const entry of [
      memory,
      { command: 'node', args: [path] },
      { command: 'mcp-server-memory' },
    ])
      expect(maxConcurrencyOf(unset(entry))).toBe(1)
    expect(maxConcurrencyOf(unset({ ...memory, limits: { maxConcurrency: 4 } }))).toBe(4)
    expect(maxConcurrencyOf(unset())).toBeUndefined()
  })
})

/** Reads the folders of a client once, as many servers do, and answers with them. */
function remembering(): FakeServer {
  const known = new WeakMap<object, unknown>()
  return {
    tools: [
      {
        name: 'folders',
        async run(_args, { connection }) {
          const ask = { method: 'roots/list' } as Message
          const { signal } = new AbortController()
          if (!known.has(connection))
            known.set(connection, await connection.events.onAsk(ask, signal))
          return text(JSON.stringify(known.get(connection)))
        },
      },
    ],
  }
}

function open(server: FakeServer, settings: object = {}, more: object = {}) {
  const servers = [unset({ cwd: '/', ...settings })]
  const opened = openAggregator({ a: server }, { servers, mode: 'full', prefix: false, ...more })
  function join(folder: string, roots: string[], era: 'legacy' | 'modern' = 'legacy') {
    const client = createClient({
      era,
      capabilities: { roots: {} },
      access: { folder },
      answer: () => ({ roots: roots.map((uri) => ({ uri })) }),
    })
    opened.aggregator.gateway.clients.join(client.session)
    const call = (name: string) =>
      answerRequest(
        { method: 'tools/call', params: { name } },
        client.context(),
        opened.aggregator.deps,
      )
    return { call, ...client }
  }
  return { ...opened, join }
}

test('a server that asks for folders runs once for each set of folders', async () => {
  const { aggregator, world, join } = open(remembering())
  const clients = [
    ['file:///a'],
    ['file:///b'],
    ['file:///a'],
    ['file:///b', 'file:///c'],
    ['file:///b'],
  ].map((roots, at) => ({ roots, ...join(`/${at}`, roots, at % 2 ? 'modern' : 'legacy') }))
  for (let round = 0; round < 3; round++)
    for (const { call, roots } of clients)
      expect(JSON.parse(textOf(await call('folders')))).toEqual({
        roots: roots.map((uri) => ({ uri })),
      })
  expect(world.starts).toEqual({ a: 3 })
  await aggregator.close()
})

test('a server that asks is named once, with the setting for more calls at a time', async () => {
  const logs: string[] = []
  const { aggregator, join } = open(remembering(), {}, { onLog: (line: string) => logs.push(line) })
  for (const at of [0, 1, 2]) await join(`/${at}`, [`file:///${at}`]).call('folders')
  expect(logs.filter((line) => line.includes('sessions take turns'))).toEqual([
    expect.stringMatching(/^a asks its clients, .* "maxConcurrency"/),
  ])
  await aggregator.close()
})

test('an instance starts in the folder of its clients, or in that of the user', async () => {
  const echo: FakeServer = { tools: [{ name: 'read', run: () => text('') }] }
  const folders = async (settings: object) => {
    const { aggregator, world, join } = open(echo, { cwd: undefined, ...settings })
    for (const folder of ['/x', '/y', '/x']) await join(folder, []).call('read')
    await aggregator.close()
    return world.connections.map(({ events }) => Object(events.server).cwd)
  }
  expect(await folders({})).toEqual(['/x', '/y'])
  expect(await folders({ per: 'replica' })).toEqual([homedir()])
})

test('the rate of a client is that of its connection', async () => {
  const echo: FakeServer = { tools: [{ name: 'read', run: () => text('') }] }
  const limits = { caller: { calls: 2, seconds: 60 } }
  const { aggregator, join } = open(echo, {}, { limits })
  for (const folder of ['/x', '/x']) {
    const { call } = join(folder, [])
    await call('read')
    await call('read')
    await expect(call('read')).resolves.toMatchObject({ isError: true })
  }
  await aggregator.close()
})
