import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { createMemoryCatalogStore } from '../../src/catalog/entries/catalog-store.ts'
import { createAggregator } from '../../src/server/aggregator.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import {
  configOf,
  createClient,
  createWorld,
  type FakeServer,
  text,
  textOf,
} from '../fake-servers.ts'

const numbers = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
}

const servers: Record<string, FakeServer> = {
  math: {
    tools: [
      {
        name: 'add',
        definition: { description: 'Add two numbers. Exactly.', inputSchema: numbers },
        run: ({ a, b }) => ({
          ...text(`${Number(a) + Number(b)}`),
          structuredContent: { sum: Number(a) + Number(b) },
        }),
      },
      {
        name: 'divide',
        definition: { description: 'Divide', inputSchema: numbers },
        run: () => ({ ...text('by zero'), isError: true }),
      },
      {
        name: 'fail',
        run: () => {
          throw Object.assign(new Error('odd'), { code: -32050, data: { why: 1 } })
        },
      },
    ],
  },
  'file-store': {
    tools: [
      {
        name: 'read_file',
        definition: {
          description: 'Read the contents of a file',
          inputSchema: {
            type: 'object',
            properties: {
              filePath: { type: 'string' },
              maxLines: { type: 'integer' },
              options: { type: 'object' },
            },
            required: ['filePath'],
            additionalProperties: false,
          },
        },
        run: (args) => text(JSON.stringify(args)),
      },
    ],
  },
  broken: {
    onStart() {
      throw new Error('the process exited with code 2')
    },
  },
}

function openWith(mode: 'meta' | 'list' | 'full' = 'meta', given = servers) {
  const world = createWorld(given)
  const aggregator = createAggregator({
    servers: Object.keys(given).map((name) => configOf(name)),
    mode,
    connect: world.connect,
  })
  const client = createClient()
  const ask = (method: string, params: JsonObject = {}, context = {}) =>
    answerRequest({ method, params }, client.context(context), aggregator.deps)
  const use = (name: string, args: JsonObject, context = {}) =>
    ask('tools/call', { name, arguments: args }, context)
  return { world, aggregator, ask, use, client }
}

describe('call', () => {
  test('gives the result of the tool as it is', async () => {
    const { use } = openWith()
    expect(await use('call', { module: 'math', tool_name: 'add', params: { a: 1, b: 2 } })).toEqual(
      {
        content: [{ type: 'text', text: '3' }],
        structuredContent: { sum: 3 },
      },
    )
  })

  test('keeps the code and the data of an error', async () => {
    const { use } = openWith()
    await expect(use('call', { module: 'math', tool_name: 'fail' })).rejects.toMatchObject({
      message: '<server-text>odd</server-text>',
      code: -32050,
      data: { why: 1 },
    })
  })

  test.each([
    [{ module: 'Math', tool_name: 'ADD', params: { a: 1, b: 1 } }, '2'],
    [{ tool_name: 'math.add', params: { a: 1, b: 1 } }, '2'],
    [{ module: 'math', toolName: 'add', arguments: { a: 1, b: 1 }, note: null }, '2'],
    [{ module: 'math', tool_name: 'math__add', params: { a: 1, b: 1 } }, '2'],
    [{ module: 'math', tool_name: 'add', params: '{"a": 1, "b": 1}' }, '2'],
    [{ module: 'math', tool_name: 'add', params: { a: '1', b: 1 } }, '2'],
    [
      { module: 'file_store', tool_name: 'readFile', params: { file_path: 'x' } },
      '{"filePath":"x"}',
    ],
    [
      {
        module: 'filestore',
        tool_name: 'read_file',
        params: { filePath: 'x', options: '{"a":1}' },
      },
      '{"filePath":"x","options":{"a":1}}',
    ],
  ])('understands %j', async (args, said) => {
    const { use } = openWith()
    expect(textOf(await use('call', args))).toBe(said)
  })

  test('says what it read as what', async () => {
    const { use } = openWith()
    const result = await use('call', { module: 'math', tool_name: 'Add', params: { a: '1', b: 1 } })
    expect(result['_meta']).toEqual({
      'io.github.pith-mcp/repairs': ['tool Add read as add', 'params.a read as integer'],
    })
  })

  test.each([
    [{ module: 'nath', tool_name: 'add' }, 'There is no server "nath". Nearest: math.'],
    // A slip could mean another tool, which does something else.
    [{ module: 'math', tool_name: 'ad' }, 'Nearest: add(a*: integer, b*: integer).'],
    [{ module: 'math', tool_name: '-' }, 'has no tool "-"'],
    [
      { module: 'math', tool_name: 'multiply' },
      'has no tool "multiply"; it has 3 tools. It has: add(a*: integer, b*: integer); ',
    ],
    [
      { module: 'math', tool_name: 'add', params: { a: 'x', b: 1 } },
      'Nothing was called. Its schema: {"type":"object"',
    ],
    [{ module: 'math', tool_name: 'add' }, 'The params of math.add are not valid'],
    [{ module: 'math', tool_name: 'add', params: [] }, 'params is not valid: [].'],
    [{ module: 'math' }, 'tool_name is missing'],
    [{ tool_name: 'unheard' }, 'module is missing'],
    [
      { module: 'broken', tool_name: 'x' },
      'The server broken is down: the process exited with code 2',
    ],
    [{ module: '__proto__', tool_name: 'x' }, 'There is no server "__proto__"'],
    [
      { module: 'math', tool_name: 'add', input: { a: 1, b: 1 } },
      'call has no argument "input". Nothing was done. Its arguments are module, tool_name, params, select.',
    ],
  ])('answers %j by an error a model can act on', async (args, message) => {
    const { use, world } = openWith()
    const result = await use('call', args)
    expect(result['isError']).toBe(true)
    expect(textOf(result)).toContain(message)
    expect(world.requests.some(({ message: sent }) => sent.method === 'tools/call')).toBe(false)
  })
})

describe('what is known from an earlier process', () => {
  test('is asked anew before anything is refused by it', async () => {
    const store = createMemoryCatalogStore()
    const open = (tools: FakeServer['tools']) => {
      const world = createWorld({ a: { tools: tools ?? [] } })
      const aggregator = createAggregator({
        servers: [configOf('a')],
        connect: world.connect,
        catalogStore: store,
        trust: { pin: false },
      })
      const { context } = createClient()
      return (tool_name: string, params: JsonObject) =>
        answerRequest(
          {
            method: 'tools/call',
            params: { name: 'call', arguments: { module: 'a', tool_name, params } },
          },
          context(),
          aggregator.deps,
        )
    }
    const run = (): JsonObject => text('done')
    await open([{ name: 'old', definition: { inputSchema: numbers } }])('old', {})
    const use = open([
      { name: 'old', definition: { inputSchema: { type: 'object' } }, run },
      { name: 'new', run },
    ])
    expect(textOf(await use('old', { c: 1 }))).toBe('done')
    expect(textOf(await use('new', {}))).toBe('done')
  })
})

describe('schemas of others', () => {
  const withSchema = (inputSchema: JsonObject, name = 'x'): FakeServer => ({
    tools: [{ name, definition: { inputSchema }, run: () => text('done') }],
  })

  test('with a pattern that takes for ever hold nobody up', async () => {
    const properties = { s: { type: 'string', pattern: '^(a+)+$' } }
    const { use } = openWith('meta', { a: withSchema({ type: 'object', properties }) })
    const before = process.cpuUsage()
    // Backtracking would take 2³² steps.
    const params = { s: `${'a'.repeat(32)}!` }
    expect(textOf(await use('call', { module: 'a', tool_name: 'x', params }))).toBe('done')
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  })

  test('with one id are two', async () => {
    const schemaOf = (key: string) => ({
      $id: 'same',
      type: 'object',
      required: [key],
      properties: { [key]: {} },
    })
    const { use } = openWith('meta', {
      a: withSchema(schemaOf('one')),
      b: withSchema(schemaOf('two')),
    })
    expect(textOf(await use('call', { module: 'a', tool_name: 'x', params: { one: 1 } }))).toBe(
      'done',
    )
    expect(textOf(await use('call', { module: 'b', tool_name: 'x', params: { two: 1 } }))).toBe(
      'done',
    )
  })

  test('that are none do not stand in the way', async () => {
    const { use } = openWith('meta', { a: withSchema({ type: 'nonsense' }) })
    expect(textOf(await use('call', { module: 'a', tool_name: 'x', params: { a: 1 } }))).toBe(
      'done',
    )
  })
})

test('an error of a server that is too long comes in pages, with its code', async () => {
  const long: FakeServer = {
    tools: [
      {
        name: 'x',
        run: () => {
          throw Object.assign(new Error('e'.repeat(500_000)), { code: -32050 })
        },
      },
    ],
  }
  const { use } = openWith('meta', { long })
  const failed = use('call', { module: 'long', tool_name: 'x' })
  await expect(failed).rejects.toMatchObject({
    code: -32050,
    message: expect.stringContaining('read_more('),
  })
})

describe('get_module_schema', () => {
  test('gives the tools of modules, whole', async () => {
    const { use } = openWith()
    const [math, store] = textOf(
      await use('get_module_schema', { modules: ['math', 'file-store'] }),
    ).split('\n')
    expect(JSON.parse(math ?? '')).toMatchObject({
      module: 'math',
      tools: [{ name: 'add', inputSchema: numbers }, {}, {}],
    })
    expect(JSON.parse(store ?? '')).toMatchObject({ module: 'file-store' })
  })

  test('starts only the modules that are named', async () => {
    const { use, world } = openWith()
    await use('get_module_schema', { module: 'math', tools: ['add'] })
    expect(world.starts).toEqual({ math: 1 })
  })

  test('without a module says which there are, and what they have', async () => {
    const { use } = openWith()
    expect(textOf(await use('get_module_schema', {}))).toBe(
      'math: 3 tools\nfile-store: 1 tool\nbroken is down: the process exited with code 2',
    )
  })

  test('of a large module gives signatures', async () => {
    const tools = Array.from({ length: 300 }, (_, at) => ({
      name: `tool_${at}`,
      definition: { description: 'Does something. At length. '.repeat(10), inputSchema: numbers },
    }))
    const { use } = openWith('meta', { large: { tools } })
    const said = textOf(await use('get_module_schema', { module: 'large' }))
    expect(said).toContain('tool_0(a*: integer, b*: integer) — Does something')
    expect(said.length).toBeLessThanOrEqual(20_000)
    expect(
      textOf(await use('get_module_schema', { module: 'large', tools: ['tool_299'] })),
    ).toContain('"required":["a","b"]')
  })
})

describe('search_tools', () => {
  test('finds tools by what they do, with their signatures', async () => {
    const { use } = openWith()
    const said = textOf(await use('search_tools', { query: 'read file contents' }))
    expect(said.split('\n')[0]).toBe(
      'file-store.read_file(filePath*: string, maxLines: integer, options: object) — Read the contents of a file (name: read, file)',
    )
    expect(said).toContain('Not searched: broken, which is down: the process exited with code 2.')
  })
})

describe('batch', () => {
  const lines = (...commands: object[]) =>
    commands.map((command) => JSON.stringify(command)).join('\n')

  test('gives values on, keeps their types, and returns what is wanted', async () => {
    const { use } = openWith()
    const said = textOf(
      await use('batch', {
        commands: lines(
          { id: 'a', module: 'math', tool_name: 'add', params: { a: 1, b: 2 } },
          {
            id: 'b',
            module: 'math',
            tool: 'add',
            params: { a: '${a.sum}', b: '${a.results[0].sum}' },
          },
          {
            id: 'c',
            module: 'file-store',
            tool: 'read_file',
            params: { filePath: 'f${b.sum}' },
            output: true,
          },
        ),
      }),
    )
    expect(said).toBe('a: done\nb: done\nc: done\n--- c\n{"filePath":"f6"}')
  })

  test('selections of many calls fit one reply', async () => {
    const rows = Array.from({ length: 90 }, (_, id) => ({ id, title: `The title of row ${id}` }))
    const list = { name: 'list', run: () => text(JSON.stringify({ rows })) }
    const { use } = openWith('meta', { talk: { tools: [list] } })
    const batchOf = (count: number): string =>
      lines(...Array.from({ length: count }, () => ({ tool_name: 'talk.list', select: 'title' })))
    const few = textOf(await use('batch', { commands: batchOf(3) }))
    expect(
      few.match(/"The title of row 89"\]\n\[title read as rows\[\]\.title; selected/g),
    ).toHaveLength(3)
    const many = textOf(await use('batch', { commands: batchOf(50) }))
    expect(many.length).toBeLessThanOrEqual(20_000)
    expect(many.match(/read_more/g)?.length).toBeGreaterThanOrEqual(50)
  })

  test('long results come as first pages, within one reply', async () => {
    const long = 'A word of a long result. '.repeat(2_000)
    const talk = { name: 'talk', run: ({ n }: JsonObject) => text(long.slice(0, Number(n))) }
    const { use } = openWith('meta', { talk: { tools: [talk] } })
    const sizes = [40, 30_000, 900, 25_000]
    const commands = lines(
      ...sizes.map((n, at) => ({
        id: `c${at}`,
        tool_name: 'talk.talk',
        params: { n },
        output: true,
      })),
    )
    const said = textOf(await use('batch', { commands }))
    expect(said.length).toBeLessThanOrEqual(20_000)
    const parts = said.split(/^--- c\d\n/m).map((part) => part.trim())
    expect(parts[1]).toBe(long.slice(0, 40).trim())
    expect(parts[3]).toBe(long.slice(0, 900).trim())
    for (const part of [parts[2], parts[4]]) expect(part?.length).toBeGreaterThan(2_500)
  })

  test('skips what depends on a failure', async () => {
    const { use } = openWith()
    const result = await use('batch', {
      commands: lines(
        { id: 'a', module: 'math', tool: 'divide', params: { a: 1, b: 0 } },
        { id: 'b', module: 'math', tool: 'add', params: { a: '${a.sum}', b: 1 }, output: true },
        { id: 'c', module: 'math', tool: 'add', params: { a: 1, b: 1 }, output: true },
        { id: 'd', module: 'math', tool: 'fail' },
      ),
    })
    expect(textOf(result)).toBe(
      'a: failed: by zero\nb: skipped because a failed\nc: done\nd: failed (-32050): <server-text>odd</server-text>\n--- c\n2\n\nstructuredContent:\n{"sum":2}',
    )
    expect(result['isError']).toBeUndefined()
  })

  test('is checked whole before the first call', async () => {
    const { use, world } = openWith()
    const said = textOf(
      await use('batch', {
        commands: lines(
          { id: 'a', module: 'math', tool: 'add', params: { a: 1, b: 2 } },
          { id: 'b', module: 'math', tool: 'add', params: { a: '${a.sum}' } },
          { id: 'c', module: 'nowhere', tool: 'x' },
          { id: 'd', module: 'math', tool: 'add', params: { a: 'one', b: 2 } },
          { id: 'e', module: 'math', tool: 'add', outptu: true },
        ),
      }),
    )
    expect(said).toContain('nothing was called')
    expect(said).toMatch(
      /line 2: The params of math.add are not valid[\s\S]*line 3: There is no server[\s\S]*line 4/,
    )
    expect(said).toMatch(/line 5: .*outptu/)
    expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
  })

  test('is not done when only a check may have been meant', async () => {
    const { use, world } = openWith()
    const commands = lines({ id: 'a', module: 'math', tool: 'add', params: { a: 1, b: 2 } })
    expect(textOf(await use('batch', { commands, dry_run: 'true' }))).toContain(
      'Nothing was called',
    )
    expect(textOf(await use('batch', { commands, dry_run: 'perhaps' }))).toContain(
      'dry_run is not valid: "perhaps".',
    )
    expect(textOf(await use('batch', { commands, dryRun: true }))).toContain('Nothing was called')
    expect(textOf(await use('batch', { commands, test: true }))).toContain(
      'batch has no argument "test". Nothing was done',
    )
    expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
  })

  test('takes references under other spellings, and where a schema has choices', async () => {
    const either: FakeServer = {
      tools: [
        { name: 'give', run: () => text('{"id": 5}') },
        {
          name: 'take',
          definition: {
            inputSchema: {
              type: 'object',
              properties: { itemId: { type: 'integer' }, name: { type: 'string' } },
              anyOf: [{ required: ['itemId'] }, { required: ['name'] }],
              required: ['itemId'],
            },
          },
          run: (args) => text(JSON.stringify(args)),
        },
      ],
    }
    const { use } = openWith('meta', { either })
    const commands = lines(
      { id: 'a', module: 'either', tool: 'give' },
      { id: 'b', module: 'either', tool: 'take', params: { item_id: '${a.id}' }, output: true },
    )
    expect(textOf(await use('batch', { commands }))).toContain('{"itemId":5}')
  })

  test('can be only checked', async () => {
    const { use, world } = openWith()
    const commands = lines(
      { id: 'a', module: 'math', tool: 'add', params: { a: 1, b: 2 } },
      { id: 'b', module: 'math', tool: 'fail', after: ['a'], output: true },
    )
    expect(textOf(await use('batch', { commands, dry_run: true }))).toBe(
      'The batch is valid. Nothing was called.\na: math.add\nb: math.fail after a, output',
    )
    expect(world.requests.some(({ message }) => message.method === 'tools/call')).toBe(false)
  })

  test('tells of progress under the token of the client', async () => {
    const { use, client } = openWith()
    const command = { module: 'math', tool: 'add', params: { a: 1, b: 2 } }
    const { passthrough } = client.context()
    const carrying = { passthrough: { ...passthrough, meta: { progressToken: 7 } } }
    await use('batch', { commands: lines(command, command) }, carrying)
    expect(
      client.told
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params }) => params),
    ).toEqual([
      { progressToken: 7, progress: 1, total: 2 },
      { progressToken: 7, progress: 2, total: 2 },
    ])
  })

  test('of many long results stays within one reply', async () => {
    const long: FakeServer = { tools: [{ name: 'x', run: () => text('word '.repeat(30_000)) }] }
    const { use } = openWith('meta', { long })
    const commands = lines(
      ...Array.from({ length: 50 }, () => ({ module: 'long', tool: 'x', output: true })),
    )
    const said = textOf(await use('batch', { commands }))
    expect(said.length).toBeLessThanOrEqual(20_000)
    expect(said.match(/read_more\(/g)).toHaveLength(50)
  })
})

describe('modes', () => {
  const names = (result: JsonObject) => (result['tools'] as JsonObject[]).map(({ name }) => name)

  test('meta lists five tools and starts nothing for it', async () => {
    const { ask } = openWith()
    expect(names(await ask('tools/list'))).toEqual([
      'search_tools',
      'get_module_schema',
      'call',
      'batch',
      'read_more',
    ])
  })

  test('list has a line for each tool, which can be called by its name', async () => {
    const { ask, use } = openWith('list')
    const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
    expect(tools.find(({ name }) => name === 'math__add')).toEqual({
      name: 'math__add',
      description: 'Add two numbers',
      inputSchema: { type: 'object' },
    })
    expect(textOf(await use('math__add', { a: 1, b: 1 }))).toBe('2')
    const wrong = await use('math__add', { a: 1 })
    expect(textOf(wrong)).toContain('Its schema:')
    await expect(use('call', {})).rejects.toThrow('Unknown tool: call')
  })

  test('full has the definitions as they are', async () => {
    const { ask, use } = openWith('full')
    const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
    expect(tools[0]).toEqual({
      name: 'math__add',
      description: 'Add two numbers. Exactly.',
      inputSchema: numbers,
    })
    expect(textOf(await use('math__add', { a: 1, b: 1 }))).toBe('2')
    await expect(use('math__ad', {})).rejects.toThrow('Unknown tool: math__ad. Nearest: math__add.')
  })

  test('list keeps what a client asks its user by', async () => {
    const annotations = { title: 'Delete', readOnlyHint: false, destructiveHint: true }
    const { ask } = openWith('list', { a: { tools: [{ name: 'x', definition: { annotations } }] } })
    const { tools } = (await ask('tools/list')) as { tools: JsonObject[] }
    expect(tools.at(-1)).toEqual({
      name: 'a__x',
      description: '',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: false, destructiveHint: true },
    })
  })

  test('run is call, as prompts for the newest mcpist have it', async () => {
    const { aggregator } = openWith()
    const params = { module: 'math', tool: 'add', params: { a: 1, b: 2 } }
    const request = { method: 'tools/call', params: { name: 'run', arguments: params } }
    expect(textOf(await aggregator.request(request))).toBe('3')
    const { tools } = (await aggregator.request({ method: 'tools/list' })) as {
      tools: JsonObject[]
    }
    expect(tools.map(({ name }) => name)).not.toContain('run')
  })

  test('what each costs is told', async () => {
    const { receipt, silent } = await openWith().aggregator.receipt()
    expect(receipt).toMatchObject({ servers: 2, tools: 4 })
    expect(receipt.listTokens.meta).toBeGreaterThan(100)
    expect(silent).toEqual(['broken'])
  })
})
