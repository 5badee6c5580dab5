import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { approveTool } from '../../src/catalog/trust/approve.ts'
import { createMemoryPinStore, hashOf } from '../../src/catalog/trust/pin.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const uri = 'ui://board/main.html'
const csp = { ui: { csp: { connectDomains: ['https://example.com'] } } }

/** A server with an app: a tool that shows it, one that only it calls, and one for models. */
function board(name: string): FakeServer {
  const said = (what: string) => () => ({
    ...text(`${what} of ${name}`),
    structuredContent: { rows: 'x'.repeat(90_000) },
    _meta: { ui: { resourceUri: uri } },
  })
  const meta = (ui: JsonObject, more: JsonObject = {}) => ({
    definition: { _meta: { ui, ...more } },
  })
  return {
    tools: [
      { name: 'show', ...meta({ resourceUri: uri }, { 'ui/resourceUri': uri }), run: said('show') },
      { name: 'refresh', ...meta({ visibility: ['app'] }), run: said('refresh') },
      { name: `only_${name}`, ...meta({ visibility: ['app'] }), run: said('only') },
      { name: 'plain', run: () => ({ content: [{ type: 'resource_link', uri, name: 'board' }] }) },
    ],
    resources: [{ uri, name: 'board', mimeType: 'text/html;profile=mcp-app', _meta: csp }],
    answer: ({ params }) => ({
      contents: [{ uri: params?.['uri'], text: `<p>${name}</p>`, _meta: csp }],
    }),
  }
}

const capabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}

async function open(mode: 'meta' | 'list' | 'full', given: JsonObject = capabilities) {
  const servers = [configOf('a'), configOf('b')]
  const { aggregator } = openAggregator({ a: board('a'), b: board('b') }, { servers, mode })
  const context = { ...createClient().context(), capabilities: given }
  const ask = (method: string, params: JsonObject = {}) =>
    answerRequest({ method, params }, context, aggregator.deps)
  const names = async () => {
    const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
    return tools.map(({ name }) => name)
  }
  // In `meta` the first list does not wait for servers.
  await ask('tools/list')
  await expect.poll(() => aggregator.gateway.viewFor(context).unknown).toEqual([])
  const call = (name: string, args: JsonObject = {}) => ask('tools/call', { name, arguments: args })
  return { ask, call, names }
}

const listed = ['a__show', 'b__show', 'a__refresh', 'a__only_a', 'b__refresh', 'b__only_b']

test.each(['meta', 'list', 'full'] as const)(
  'in mode %s they are listed and work',
  async (mode) => {
    const { ask, call, names } = await open(mode)
    const found = await names()
    expect(found).toEqual(expect.arrayContaining(listed))
    expect(found.includes('a__plain')).toBe(mode !== 'meta')

    const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
    expect(tools.find(({ name }) => name === 'b__show')?.['_meta']).toEqual({
      ui: { resourceUri: 'ui://b/board/main.html' },
      'ui/resourceUri': 'ui://b/board/main.html',
    })
    const { resources } = await ask('resources/list')
    expect(resources).toMatchObject([
      { uri: 'ui://a/board/main.html', _meta: csp },
      { uri: 'ui://b/board/main.html', _meta: csp },
    ])
    expect(await ask('resources/read', { uri: 'ui://b/board/main.html' })).toEqual({
      contents: [{ uri: 'ui://b/board/main.html', text: '<p>b</p>', _meta: csp }],
    })
    // Of an address that is not listed, too.
    expect(await ask('resources/read', { uri: 'ui://a/other' })).toMatchObject({
      contents: [{ uri: 'ui://a/other', text: '<p>a</p>' }],
    })

    const result = await call('b__show')
    expect(result).toMatchObject({
      content: [{ text: 'show of b' }],
      _meta: { ui: { resourceUri: 'ui://b/board/main.html' } },
    })
    expect(JSON.stringify(result['structuredContent'])).toHaveLength(90_011)
  },
)

describe('an app calls by the names of its server', () => {
  test('the tool that only one server has', async () => {
    const { call } = await open('meta')
    expect(await call('only_b')).toMatchObject({ content: [{ text: 'only of b' }] })
  })

  test('a name of two servers calls neither', async () => {
    const { call } = await open('meta')
    await expect(call('refresh')).rejects.toThrow('Several servers with apps')
  })

  test('not without the capability', async () => {
    const { call } = await open('meta', {})
    await expect(call('only_b')).rejects.toThrow('Unknown tool')
  })
})

test('tools of apps are for no model', async () => {
  const { call } = await open('meta')
  const said = async (name: string, args: JsonObject) => JSON.stringify(await call(name, args))
  expect(await said('search_tools', { query: 'only_a refresh' })).not.toMatch(/refresh\(|only_a\(/)
  expect(await said('get_module_schema', { module: 'a' })).not.toContain('refresh')
  expect(await said('call', { module: 'a', tool_name: 'refresh' })).toContain('no tool')
  const commands = JSON.stringify({ id: 'x', module: 'a', tool_name: 'refresh' })
  expect(await said('batch', { commands })).toContain('no tool')
})

test('links lead to the app of their server, from `call` too', async () => {
  const { call } = await open('meta')
  expect(await call('call', { module: 'b', tool_name: 'plain' })).toMatchObject({
    content: [{ uri: 'ui://b/board/main.html' }],
  })
})

test('clients without apps see none in `meta`', async () => {
  const { names } = await open('meta', {})
  expect((await names()).filter((name) => `${name}`.includes('__'))).toEqual([])
})

test('another interface is a change that waits for approval, other metadata is none', () => {
  const tool = (meta: JsonObject) => hashOf({ name: 'x', _meta: meta })
  expect(tool({ ui: { resourceUri: 'ui://1' } })).not.toBe(tool({ ui: { resourceUri: 'ui://2' } }))
  expect(tool({ version: 1 })).toBe(tool({ version: 2 }))
})

test('an app whose content has changed is held with its tools, until it is approved', async () => {
  let html = '<p>one'
  const pinStore = createMemoryPinStore()
  const app: FakeServer = {
    tools: [
      {
        name: 'board',
        definition: { _meta: { ui: { resourceUri: 'ui://m/main.html' } } },
        run: () => text('done'),
      },
    ],
    resources: [{ uri: 'ui://m/main.html', name: 'm' }],
    answer: ({ params }) => ({ contents: [{ uri: params?.['uri'], text: html }] }),
  }
  const { aggregator, use, logs } = openAggregator(
    { a: app },
    { servers: [configOf('a')], pinStore },
  )
  const read = () =>
    aggregator
      .request({ method: 'resources/read', params: { uri: 'ui://a/m/main.html' } })
      .then(JSON.stringify, (error: Error) => error.message)
  const call = () => use('call', { module: 'a', tool_name: 'board' })
  expect(await call()).toBe('done')
  expect(await read()).toContain('<p>one')
  html = '<p>two'
  expect(await read()).toContain('its content has changed since it was pinned')
  expect(await read()).not.toContain('two')
  expect(await call()).toContain('its interface has changed')
  expect(logs.join()).toContain('its content has changed')
  for (const { server, source, waiting } of pinStore.all())
    pinStore.change(server, source, (pinned) => {
      for (const tool of Object.keys(waiting)) approveTool(pinned, tool)
    })
  await expect.poll(read).toContain('<p>two')
  await expect.poll(call).toBe('done')
  html = '<p>one'
  expect(await read()).toContain('its content has changed')
})
