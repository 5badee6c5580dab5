import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../servers/src/config/read-config.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { matchesAny } from '../../../src/catalog/policy/patterns.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const reads = { annotations: { readOnlyHint: true } }

const fakes: Record<string, FakeServer> = {
  mail: {
    tools: [
      { name: 'read_mail', definition: reads, run: () => text('a mail') },
      { name: 'send_mail', run: () => text('sent') },
    ],
    prompts: [{ name: 'secret_prompt' }],
    resources: [{ uri: 'mail://secret', name: 'secret' }],
  },
  wiki: {
    tools: [
      { name: 'find_page', definition: reads, run: () => text('a page') },
      { name: 'delete_page', run: () => text('deleted') },
    ],
  },
}

const file = {
  mcpServers: {
    mail: { command: 'x', tags: ['office'], description: 'letters of the hidden office' },
    wiki: { command: 'y', tags: ['docs'], tools: { find_page: { name: 'look_up' } } },
    old: { command: 'z', disabled: true },
  },
  aggregator: {
    profiles: {
      reader: { servers: ['w*'], deny: ['*.delete_*'] },
      tagged: { tags: ['office'] },
      'read-only': { readOnly: true },
      allowed: { allow: ['mail.read_*', 'wiki'] },
      nothing: { servers: [] },
    },
  },
}

async function open(mode?: 'list' | 'full') {
  const { servers, disabled, settings } = await readConfig(JSON.stringify(file), {})
  return openAggregator(fakes, {
    servers,
    disabled,
    profiles: settings.profiles,
    ...(mode && { mode }),
  })
}

describe('what is not in a profile does not exist for it', () => {
  const access = { profile: 'reader' }

  test('in no list, search, schema, call, error or instruction', async () => {
    for (const mode of [undefined, 'list', 'full'] as const) {
      const { aggregator, use, world } = await open(mode)
      const ask = (method: string, params: JsonObject = {}) =>
        aggregator.request({ method, params }, { access }).catch((error: Error) => error.message)
      const said = [
        await ask('tools/list'),
        await ask('prompts/list'),
        await ask('prompts/get', { name: 'mail__secret_prompt' }),
        await ask('resources/list'),
        await ask('resources/templates/list'),
        await ask('resources/read', { uri: 'mail://secret' }),
        await ask('tools/call', { name: 'mail__send_mail', arguments: {} }),
        await ask('tools/call', { name: 'wiki__delete_page', arguments: {} }),
        await ask('completion/complete', {
          ref: { type: 'ref/prompt', name: 'mail__secret_prompt' },
        }),
        ...(mode === undefined
          ? [
              await use('search_tools', { query: 'send mail office old', limit: 50 }, access),
              await use('search_tools', { query: 'mail', server: 'mail' }, access),
              await use('get_module_schema', {}, access),
              await use('get_module_schema', { module: 'mail' }, access),
              await use('get_module_schema', { module: 'wiki' }, access),
              await use('call', { module: 'mail', tool_name: 'send_mail' }, access),
              await use('call', { tool_name: 'mail.send_mail' }, access),
              await use('call', { tool_name: 'send_mail' }, access),
              await use('call', { module: 'wiki', tool_name: 'delete_page' }, access),
              await use('call', { module: '../mail', tool_name: '../../send_mail' }, access),
              await use('batch', { commands: '{"module":"mail","tool_name":"send_mail"}' }, access),
              await use('call', { module: 'old', tool_name: 'x' }, access),
            ]
          : []),
      ]
      const text = said.map((one) => JSON.stringify(one)).join('\n')
      // What was asked for is said back; what is hidden is not told.
      expect(text).not.toMatch(/hidden office|read_mail|a mail|sent|deleted|switched off/)
      expect(world.requests.filter(({ server }) => server === 'mail')).toEqual([])
      expect(world.starts['mail']).toBeUndefined()
      expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
    }
  })

  test('and what is in it works', async () => {
    const { use } = await open()
    expect(await use('call', { module: 'wiki', tool_name: 'look_up' }, access)).toBe('a page')
  })

  test('nor for one that is no more', async () => {
    const { use } = await open()
    expect(await use('get_module_schema', {}, { profile: 'gone' })).toBe('')
    expect(
      await use('call', { module: 'wiki', tool_name: 'look_up' }, { profile: 'gone' }),
    ).toContain('There is no server "wiki"')
  })
})

describe('a profile takes', () => {
  test.each([
    ['tagged', ['mail.read_mail', 'mail.send_mail']],
    ['read-only', ['mail.read_mail', 'wiki.look_up']],
    ['allowed', ['mail.read_mail', 'wiki.delete_page', 'wiki.look_up']],
    ['nothing', []],
    [undefined, ['mail.read_mail', 'mail.send_mail', 'wiki.delete_page', 'wiki.look_up']],
  ])('%s', async (profile, names) => {
    const { aggregator } = await open()
    const viewer = { session: { access: { profile } }, capabilities: {} }
    await aggregator.request({ method: 'resources/list' }, { access: { profile } })
    const { tools } = aggregator.gateway.viewFor(viewer)
    expect(tools.map(({ server, name }) => `${server.name}.${name}`).sort()).toEqual(names)
  })
})

describe('the owner of a server says of its tools', () => {
  const withRules = async (rules: object) => {
    const text = JSON.stringify({ mcpServers: { wiki: { command: 'y', ...rules } } })
    const { servers } = await readConfig(text, {})
    return openAggregator(fakes, { servers })
  }
  const findPage = { module: 'wiki', tool_name: 'find_page' }

  test.each([
    ['which are allowed', { allow: ['delete*'] }],
    ['which are not', { deny: ['find_page'] }],
    ['also by the new name', { deny: ['look_up'], tools: { find_page: { name: 'look_up' } } }],
    ['also by the old name', { deny: ['find_page'], tools: { find_page: { name: 'look_up' } } }],
  ])('%s', async (_what, rules) => {
    const { use, world } = await withRules(rules)
    for (const tool_name of ['find_page', 'look_up'])
      expect(await use('call', { module: 'wiki', tool_name })).toContain('has no tool')
    expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
  })

  test('that only reading ones are there', async () => {
    const { use } = await withRules({ readOnly: true })
    expect(await use('call', { module: 'wiki', tool_name: 'delete_page' })).toContain('has no tool')
    expect(await use('call', findPage)).toBe('a page')
  })

  test('what they are called and described as', async () => {
    const { use, world } = await withRules({
      tools: { find_page: { name: 'look_up', description: 'Looks a page up in the big book.' } },
    })
    expect(await use('search_tools', { query: 'big book' })).toContain('wiki.look_up()')
    expect(await use('call', { module: 'wiki', tool_name: 'look_up' })).toBe('a page')
    expect(world.requests.at(-1)?.message.params?.['name']).toBe('find_page')
    expect(await use('call', findPage)).toContain('has no tool')
  })

  test('that one is switched off, which searches say with its remedy', async () => {
    const { use } = await withRules({ tools: { find_page: { enabled: false } } })
    expect(await use('search_tools', { query: 'find page' })).toContain(
      'Cannot be called now: wiki.find_page: disabled by mcpServers.wiki.tools.find_page.enabled',
    )
    expect(await use('call', findPage)).toContain('disabled')
  })

  test('that two have one name: the second is not there', async () => {
    const { use } = await withRules({ tools: { delete_page: { name: 'find_page' } } })
    expect(await use('call', findPage)).toBe('a page')
    expect(await use('search_tools', { query: 'find page' })).toContain('two tools of this name')
  })
})

test('servers that are switched off are named to whoever asks for them', async () => {
  const { use } = await open()
  expect(await use('search_tools', { query: 'old things' })).toContain('old is disabled')
  expect(await use('search_tools', { query: 'mail' })).not.toContain('disabled')
})

test('instructions count the modules of the profile', async () => {
  const { aggregator } = await open()
  const text = JSON.stringify(
    textOf(
      await aggregator.request(
        { method: 'tools/call', params: { name: 'get_module_schema', arguments: {} } },
        { access: { profile: 'tagged' } },
      ),
    ),
  )
  expect(text).toContain('mail')
  expect(text).not.toContain('wiki')
})

test.each([
  ['git*', 'github', true],
  ['*hub', 'github', true],
  ['g*h*b', 'github', true],
  ['g*t*t*b', 'github', false],
  ['*', '', true],
  ['git', 'github', false],
  ['a*a', 'a', false],
  ['.*', 'x', false],
])('the pattern %s of %s', (pattern, name, isMatch) => {
  expect(matchesAny(name, [pattern])).toBe(isMatch)
})

test('a pattern of many parts takes little processor time', () => {
  const before = process.cpuUsage()
  matchesAny('a'.repeat(100_000), [`${'a*'.repeat(500)}b`])
  expect(process.cpuUsage(before).user).toBeLessThan(2_500_000)
})

describe('patterns of profiles', () => {
  const tools = { tools: [{ name: 'x', run: () => text('x') }], prompts: [{ name: 'p' }] }
  const names = ['notes', 'notes.admin', 'secret']
  const open = (profile: object) =>
    openAggregator(Object.fromEntries(names.map((name) => [name, tools])), {
      servers: names.map((name) => configOf(name)),
      profiles: { p: profile },
    })

  test.each([
    ['deny of a server takes all of it away', { deny: ['secret'] }, ['notes', 'notes.admin']],
    ['deny of all its tools too', { deny: ['secret.*'] }, ['notes', 'notes.admin']],
    ['allow of a server leaves nothing of the others', { allow: ['notes.*'] }, ['notes']],
    ['allow of a tool leaves its server', { allow: ['notes.admin.x'] }, ['notes.admin']],
    ['deny of a tool leaves its server', { deny: ['secret.x'] }, names],
  ])('%s', async (_what, profile, requested) => {
    const { aggregator, use } = open(profile)
    const access = { profile: 'p' }
    const { prompts } = (await aggregator.request({ method: 'prompts/list' }, { access })) as {
      prompts: JsonObject[]
    }
    const overview = await use('get_module_schema', {}, access)
    expect(overview.split('\n').map((line) => line.split(':')[0])).toEqual(requested)
    expect(prompts).toHaveLength(requested.length)
  })
})

test('clients hear nothing of servers that are not in their profile, nor when they are no more', async () => {
  const profiles = { q: { servers: ['a', 'secret'] }, r: { servers: ['a'] } }
  const servers = [configOf('a'), configOf('secret')]
  const fake: FakeServer = { tools: [{ name: 'x', run: () => text('x') }] }
  const { aggregator, world } = openAggregator({ a: fake, secret: fake }, { servers, profiles })
  const { session, told } = createClient()
  const own = { ...session, access: { profile: 'q' } }
  aggregator.gateway.clients.join(own)
  for (const server of servers) await aggregator.gateway.discovery.readUnlessStored(server, own, {})
  const secret = world.connections.find(({ events }) => events.server.name === 'secret')
  const say = (method: string) => {
    told.length = 0
    secret?.events.onNotification({ method, params: { level: 'info', data: 'x' } })
    return told.length
  }
  expect(say('notifications/odd')).toBe(1)
  aggregator.replace({ servers, profiles: { ...profiles, q: profiles.r } })
  expect(say('notifications/odd')).toBe(0)
  expect(say('notifications/message')).toBe(0)
})

test('a result that is kept is read on by those who may have it, and by nobody else', async () => {
  const long: FakeServer = { tools: [{ name: 'x', run: () => text('word '.repeat(20_000)) }] }
  const { use } = openAggregator({ a: long }, { servers: [configOf('a')], profiles: { p: {} } })
  const said = await use('call', { module: 'a', tool_name: 'x' }, { caller: 'one' })
  const [, result = ''] = /read_more\(\{"result":"(r[0-9a-f]+)"/.exec(said) ?? []
  expect(await use('read_more', { result }, { caller: 'one' })).toContain('word')
  for (const access of [{ caller: 'two' }, { caller: 'one', profile: 'p' }, undefined])
    expect(await use('read_more', { result }, access)).toContain('There is no result')
})
