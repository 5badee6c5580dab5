import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../servers/src/config/read-config.ts'
import type { StdioServer } from '../../../servers/src/config/server-config.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { type FakeConnection, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const tokens = { personal: 'token-of-personal-123', work: 'token-of-work-456' }

const file = {
  mcpServers: {
    notes: {
      command: 'notes',
      env: { REGION: 'eu' },
      accounts: {
        personal: { env: { NOTES_TOKEN: tokens.personal } },
        work: { env: { NOTES_TOKEN: tokens.work }, args: ['--team'] },
      },
      account: 'work',
    },
    plain: { command: 'plain' },
  },
  aggregator: {
    profiles: {
      home: { accounts: { notes: ['personal'] } },
      both: { accounts: { notes: ['personal', 'work'] } },
      wrong: { accounts: { notes: ['nobody'] } },
    },
  },
}

const notes: FakeServer = {
  tools: [
    {
      name: 'whoami',
      async run(_args, { connection }) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
        return text(
          String((connection.events.server as StdioServer).env['NOTES_TOKEN']?.slice(9, -4)),
        )
      },
    },
    {
      name: 'leak',
      run: (_args, { connection }) => text(JSON.stringify(connection.events.server)),
    },
  ],
}

async function open(mode?: 'full' | 'list', tools = notes) {
  const { servers, settings } = await readConfig(JSON.stringify(file), {})
  return openAggregator(
    { notes: tools, plain: { tools: [{ name: 'x', run: () => text('plain') }] } },
    { servers, profiles: settings.profiles, ...(mode && { mode }) },
  )
}

const whoami = { module: 'notes', tool_name: 'whoami', params: {} }

test('an account is started with its own settings, which win over the settings of its server', async () => {
  const { use, world } = await open()
  await use('call', { ...whoami, account: 'work' })
  expect(world.connections[0]?.events.server).toMatchObject({
    name: 'notes',
    account: 'work',
    args: ['--team'],
    env: { REGION: 'eu', NOTES_TOKEN: tokens.work },
  })
})

describe('the account of a call', () => {
  test.each([
    ['is the one that is asked for', 'personal', undefined, 'personal'],
    ['is else the default of the server', undefined, undefined, 'work'],
    ['is else the first of the profile', undefined, 'both', 'personal'],
    ['is else the only one of the profile', undefined, 'home', 'personal'],
  ])('%s', async (_what, account, profile, who) => {
    const { use } = await open()
    expect(await use('call', { ...whoami, account }, { profile })).toBe(who)
    const commands = JSON.stringify({ id: 'a', ...whoami, account, output: true })
    expect(await use('batch', { commands }, { profile })).toContain(who)
  })

  test.each([
    [
      'there is none of that name',
      { ...whoami, account: 'nobody' },
      undefined,
      'Accounts: work, personal',
    ],
    ['it is not in the profile', { ...whoami, account: 'work' }, 'home', 'Accounts: personal'],
    [
      'the server has none',
      { module: 'plain', tool_name: 'x', account: 'work' },
      undefined,
      'without account',
    ],
    ['the profile names only accounts that are not there', whoami, 'wrong', 'no server "notes"'],
  ])('is refused where %s', async (_what, args, profile, message) => {
    const { use, world } = await open()
    expect(await use('call', args, { profile })).toContain(message)
    expect(world.requests.some(({ message: sent }) => sent.method === 'tools/call')).toBe(false)
  })

  test('is an argument of tools that are called by their own names', async () => {
    for (const mode of ['full', 'list'] as const) {
      const { aggregator } = await open(mode)
      const ask = (method: string, params: JsonObject = {}, profile?: string) =>
        aggregator.request({ method, params }, { access: { profile } })
      const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
      const listed = tools.find(({ name }) => name === 'notes__whoami')
      if (mode === 'full')
        expect(listed?.['inputSchema']).toMatchObject({
          properties: { account: { enum: ['work', 'personal'], default: 'work' } },
        })
      const result = await ask('tools/call', {
        name: 'notes__whoami',
        arguments: { account: 'personal' },
      })
      expect(result['content']).toEqual([{ type: 'text', text: 'personal' }])
    }
  })
})

test('schemas name the accounts that may be used, and no others', async () => {
  const { aggregator, use } = await open()
  expect(await use('get_module_schema', { module: 'notes' })).toContain(
    '"accounts":["work","personal"]',
  )
  const listed = async (profile?: string) =>
    JSON.stringify(await aggregator.request({ method: 'tools/list' }, { access: { profile } }))
  expect(await listed()).toContain('notes: work, personal')
  expect(await use('get_module_schema', { module: 'notes' }, { profile: 'home' })).not.toContain(
    'work',
  )
  expect(await listed('home')).not.toMatch(/"account"|work/)
})

test('two accounts used a thousand times at once never cross', async () => {
  const { use, world, lines } = await open()
  const accounts = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? 'personal' : 'work'))
  const said = await Promise.all(accounts.map((account) => use('call', { ...whoami, account })))
  expect(said).toEqual(accounts)
  expect(world.starts['notes']).toBe(2)
  expect(lines.map(({ account }) => account).sort()).toEqual([...accounts].sort())
})

test('no credential is in a reply, a log or the journal', async () => {
  const { use, lines, logs, aggregator } = await open(undefined, {
    ...notes,
    tools: [
      ...(notes.tools ?? []),
      {
        name: 'fail',
        run: (_args, { connection }) => {
          const { NOTES_TOKEN } = (connection.events.server as StdioServer).env
          connection.events.onStderr(`using ${NOTES_TOKEN}\n`)
          connection.events.onNotification({
            method: 'notifications/message',
            params: { level: 'info', data: NOTES_TOKEN },
          })
          throw Object.assign(new Error(`bad ${NOTES_TOKEN}`), {
            code: -32000,
            data: { NOTES_TOKEN },
          })
        },
      },
      {
        name: 'crash',
        run: (_args, { connection }) => {
          connection.crash(
            `died of ${(connection.events.server as StdioServer).env['NOTES_TOKEN']}`,
          )
          return new Promise(() => {})
        },
      },
    ],
  })
  const said: unknown[] = []
  for (const account of ['personal', 'work'])
    for (const tool_name of ['leak', 'fail', 'crash', 'crash'])
      said.push(
        await use('call', { module: 'notes', tool_name, account }).catch((error: object) => ({
          ...error,
          message: (error as Error).message,
        })),
      )
  said.push(
    await use('search_tools', { query: 'leak notes' }),
    aggregator.gateway.fleet.status().map(({ instances }) => instances),
  )
  const all = JSON.stringify([said, lines, logs])
  expect(all).toContain('[redacted]')
  for (const token of Object.values(tokens)) expect(all).not.toContain(token)
})

describe('prompts and resources of an account', () => {
  const accountOf = (connection: FakeConnection) =>
    (connection.events.server as StdioServer).env['NOTES_TOKEN']?.slice(9, -4)
  const library: FakeServer = {
    tools: [
      {
        name: 'find',
        run: () => ({ content: [{ type: 'resource_link', uri: 'note://9', name: 'nine' }] }),
      },
    ],
    prompts: [{ name: 'greet', arguments: [{ name: 'whom', required: true }] }],
    resources: [{ uri: 'note://1', name: 'one' }],
    resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'any' }],
    answer: ({ method, params }, connection) => {
      const said = `${accountOf(connection)} ${JSON.stringify(params)}`
      return method === 'prompts/get'
        ? { messages: [{ role: 'user', content: { type: 'text', text: said } }] }
        : { contents: [{ uri: params?.['uri'], text: said }] }
    },
  }
  const asked = async () => {
    const { aggregator, use } = await open('full', library)
    const ask = (method: string, params: JsonObject = {}, profile?: string) =>
      aggregator.request({ method, params }, { access: { profile } })
    // A server is queried with another account when it is first used with it.
    await ask('tools/list')
    await ask('tools/call', { name: 'notes__find', arguments: { account: 'personal' } })
    return { ask, use }
  }

  test('prompts take the account as an argument', async () => {
    const { ask } = await asked()
    const { prompts } = await ask('prompts/list')
    const description = 'work, personal. The first is the default'
    expect(prompts).toMatchObject([
      { arguments: [{ name: 'whom' }, { name: 'account', description }] },
    ])
    const get = (args: JsonObject, profile?: string) =>
      ask('prompts/get', { name: 'notes__greet', arguments: args }, profile)
    expect(JSON.stringify(await get({ whom: 'all', account: 'personal' }))).toContain('personal {')
    expect(JSON.stringify(await get({ whom: 'all' }))).toContain('work {')
    expect(JSON.stringify(await get({ whom: 'all', account: 'personal' }))).not.toContain(
      '"account',
    )
    await expect(get({ whom: 'all', account: 'nobody' })).rejects.toThrow(
      'Accounts: work, personal',
    )
  })

  test('resources of other accounts have their own URIs, also in links', async () => {
    const { ask } = await asked()
    const { resources } = await ask('resources/list')
    expect(resources).toEqual([
      { uri: 'note://1', name: 'one' },
      { uri: 'notes-personal+note://1', name: 'one', title: 'one (personal)' },
    ])
    const read = async (uri: string) => JSON.stringify(await ask('resources/read', { uri }))
    expect(await read('note://1')).toContain('work {')
    expect(await read('notes-personal+note://1')).toMatch(/personal \{\\"uri\\":\\"note:\/\/1/)
    const found = async (account: string) => {
      const args = { name: 'notes__find', arguments: { account } }
      return ((await ask('tools/call', args))['content'] as JsonObject[])[0]?.['uri'] as string
    }
    expect(await read(await found('personal'))).toMatch(/personal \{\\"uri\\":\\"note:\/\/9/)
    expect(await read(await found('work'))).toMatch(/work \{\\"uri\\":\\"note:\/\/9/)
  })

  test('are hidden with their account', async () => {
    const { ask } = await asked()
    expect(JSON.stringify(await ask('resources/list', {}, 'home'))).not.toContain('+')
    expect(JSON.stringify(await ask('prompts/list', {}, 'home'))).not.toContain('account')
    const hidden = ask('resources/read', { uri: 'notes-work+note://1' }, 'home')
    expect(JSON.stringify(await hidden.catch(String))).not.toContain('work {')
  })
})
