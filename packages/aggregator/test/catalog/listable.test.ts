import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Era, JsonObject } from '../../../servers/src/protocol/message.ts'
import { createHttpHandler } from '../../src/server/serve-http.ts'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const object = { type: 'object' }
const properties = { a: { type: 'string' } }

/** Members of tools that clients refuse, what is listed in their place, and what is said. */
const mended: [JsonObject, JsonObject, string][] = [
  [{ inputSchema: undefined }, { inputSchema: object }, 'inputSchema is missing'],
  [{ inputSchema: null }, { inputSchema: object }, 'inputSchema is null'],
  [{ inputSchema: true }, { inputSchema: object }, 'inputSchema is true'],
  [{ inputSchema: {} }, { inputSchema: object }, 'inputSchema.type is missing'],
  [
    { inputSchema: { anyOf: [{ ...object, properties }] } },
    { inputSchema: { ...object, anyOf: [{ ...object, properties }] } },
    'inputSchema.type is missing',
  ],
  [
    { inputSchema: { type: ['object', 'null'], properties } },
    { inputSchema: { ...object, properties } },
    'inputSchema.type is ["object","null"]',
  ],
  [
    { inputSchema: { ...object, properties: null } },
    { inputSchema: object },
    'inputSchema.properties is null',
  ],
  [
    { inputSchema: { ...object, properties: [] } },
    { inputSchema: object },
    'inputSchema.properties is []',
  ],
  [
    { inputSchema: { ...object, properties, required: null } },
    { inputSchema: { ...object, properties } },
    'inputSchema.required is null',
  ],
  [
    { inputSchema: { ...object, properties, required: true } },
    { inputSchema: { ...object, properties } },
    'inputSchema.required is true',
  ],
  [
    { inputSchema: { ...object, properties, required: ['a', 5] } },
    { inputSchema: { ...object, properties, required: ['a'] } },
    'inputSchema.required is ["a",5]',
  ],
  [
    { inputSchema: { ...object, properties: { a: null } } },
    { inputSchema: { ...object, properties: { a: {} } } },
    'inputSchema.properties.a is null',
  ],
  [
    {
      inputSchema: {
        ...object,
        properties: { a: { type: 'array', items: { enum: null, default: null }, title: null } },
      },
    },
    { inputSchema: { ...object, properties: { a: { type: 'array', items: { default: null } } } } },
    'inputSchema.properties.a.items.enum is null',
  ],
  [{ inputSchema: { ...object, $schema: 7 } }, { inputSchema: object }, 'inputSchema.$schema is 7'],
  [{ outputSchema: null }, {}, 'outputSchema is null'],
  [{ outputSchema: 'text' }, {}, 'outputSchema is "text"'],
  [
    { outputSchema: { ...object, properties: { a: { type: 'odd' } } } },
    {},
    'outputSchema is not valid',
  ],
  [
    { outputSchema: { ...object, properties: { a: { type: 'string', pattern: '[' } } } },
    {},
    'outputSchema is not valid',
  ],
  [{ annotations: null }, {}, 'annotations is null'],
  [{ annotations: ['readOnly'] }, {}, 'annotations is ["readOnly"]'],
  [
    { annotations: { readOnlyHint: 'yes', title: null, destructiveHint: false } },
    { annotations: { destructiveHint: false } },
    'annotations.title is null, annotations.readOnlyHint is "yes"',
  ],
  [{ title: 5 }, {}, 'title is 5'],
  [{ title: null, description: null }, {}, 'title is null, description is null'],
  [{ description: ['a'] }, {}, 'description is ["a"]'],
  [{ icons: 'a.png' }, {}, 'icons is "a.png"'],
  [{ icons: [{ mimeType: 'image/png' }] }, { icons: [] }, 'icons.0.src is missing'],
  [{ _meta: [] }, {}, '_meta is []'],
  [{ execution: { taskSupport: 'maybe' } }, {}, 'execution.taskSupport is "maybe"'],
]

/** What has no meaning that a client could be told. */
const leftOut: [JsonObject, string][] = [
  [
    { inputSchema: '{"type":"object"}' },
    'inputSchema is "{\\"type\\":\\"object\\"}", which is not a schema for objects',
  ],
  [{ inputSchema: [] }, 'inputSchema is [], which is not a schema for objects'],
  [{ inputSchema: false }, 'inputSchema is false, which is not a schema for objects'],
  [
    { inputSchema: { type: 'string' } },
    'inputSchema.type is "string", which is not a schema for objects',
  ],
  [
    { inputSchema: { ...object, properties: [{ name: 'a' }] } },
    'inputSchema.properties is [{"name":"a"}]',
  ],
  [
    { inputSchema: { ...object, properties: { a: 'string' } } },
    'inputSchema.properties.a is "string"',
  ],
]

const odd = [
  ...mended.map(([members], index) => ({ name: `mended_${index}`, definition: members })),
  ...leftOut.map(([members], index) => ({ name: `left_${index}`, definition: members })),
]
/** JSON has no undefined members. */
const sent = (tools: typeof odd) =>
  tools.map(({ name, definition }) => ({
    name,
    definition: 'inputSchema' in definition ? definition : { ...definition, inputSchema: object },
    run: () => text('called'),
  }))

const healthy: FakeServer = {
  tools: [
    {
      name: 'well',
      definition: {
        inputSchema: { ...object, properties: { any: true, none: false }, 'x-odd': null },
        outputSchema: { ...object, $id: 'a:b', properties },
        annotations: { title: 'Well', readOnlyHint: true },
      },
    },
  ],
  prompts: [{ name: 'well', arguments: [{ name: 'a', required: true }] }],
  resources: [
    { uri: 'a:well', name: 'well', annotations: { lastModified: '2025-01-01T00:00:00Z' } },
  ],
  resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'well' }],
}

const ill: FakeServer = {
  tools: [
    ...sent(odd),
    { name: 'twice' },
    { name: 'twice', definition: { description: 'other' } },
    { name: '' },
  ],
  prompts: [
    { name: 'p0', arguments: null },
    { name: 'p1', arguments: [{ name: 'a', required: 'yes' }, { description: 'no name' }] },
    { name: 'p2', title: 5, description: null, _meta: null, icons: {} },
    { description: 'no name' },
  ],
  resources: [
    { uri: 'a:0', name: null, mimeType: null, size: '5' },
    {
      uri: 'a:1',
      name: 'r',
      annotations: { audience: 'user', priority: 3, lastModified: 'today' },
    },
    { uri: 'a:2', name: 'r', annotations: null, _meta: 1 },
    { uri: 5, name: 'r' },
    { uri: 'a:1', name: 'again' },
  ],
  resourceTemplates: [
    { uriTemplate: 'b:{c}', name: 5, annotations: { priority: null } },
    { uriTemplate: null, name: 'r' },
  ],
}

function open(era: Era = 'legacy', mode: 'full' | 'list' | 'meta' = 'full') {
  const opened = openAggregator(
    { healthy: { ...healthy, era }, ill: { ...ill, era } },
    { servers: [configOf('healthy'), configOf('ill')], mode },
  )
  onTestFinished(() => opened.aggregator.close())
  return opened
}

const url = new URL('http://localhost/mcp')

type AnyClient = Pick<
  ModernClient,
  'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates' | 'close'
>

/** An official client, which reads the lists through its own schemas. */
async function clientOf(
  kind: 'SDK 1' | '2025' | '2026',
  { aggregator }: ReturnType<typeof open>,
): Promise<AnyClient> {
  const handler = createHttpHandler(aggregator)
  const info = { name: 'test', version: '1' }
  const options = {
    fetch: async (input: string | URL, init?: RequestInit) =>
      init?.method === 'GET'
        ? new Response(null, { status: 405 })
        : handler.fetch(new Request(input, init)),
  }
  onTestFinished(() => handler.close())
  if (kind === 'SDK 1') {
    const client = new OldClient(info)
    await client.connect(new OldTransport(url, options) as never)
    return client as unknown as AnyClient
  }
  const mode = kind === '2026' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new ModernClient(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, options))
  return client
}

describe.each(['legacy', 'modern'] as const)('definitions of a %s server', (era) => {
  test.each(['SDK 1', '2025', '2026'] as const)('are listed by a client: %s', async (kind) => {
    const client = await clientOf(kind, open(era))
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    const listed = mended.map((_, index) => `ill__mended_${index}`)
    expect(names.toSorted()).toEqual([...listed, 'healthy__well', 'ill__twice'].toSorted())
    for (const [index, [, members]] of mended.entries()) {
      const { inputSchema, outputSchema, annotations, title, icons } =
        tools.find(({ name }) => name === `ill__mended_${index}`) ?? {}
      const expected = { inputSchema: object, ...members }
      expect({ inputSchema, outputSchema, annotations, title, icons }).toEqual(expected)
    }
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'healthy__well',
      'ill__p0',
      'ill__p1',
      'ill__p2',
    ])
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['a:well', 'a:0', 'a:1', 'a:2'])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['a:{b}', 'b:{c}'])
  })

  test.each(['list', 'meta'] as const)('are listed in the mode %s', async (mode) => {
    const client = await clientOf('SDK 1', open(era, mode))
    expect((await client.listTools()).tools.length).toBeGreaterThan(2)
  })

  test('are named with what is wrong, and can be called', async () => {
    const { use, logs, aggregator } = open(era, 'meta')
    const { tools } = JSON.parse(await use('get_module_schema', { module: 'ill' })) as {
      tools?: JsonObject[]
    }
    const log = () => logs.join('\n')
    const faults = aggregator.gateway.catalog.entryOf('ill')?.faults ?? []
    const whyOf = (tool: string) => faults.find(({ name }) => name === tool)?.why
    for (const [index, [, , why]] of mended.entries())
      expect(whyOf(`mended_${index}`)).toContain(`listed with changes: ${why}`)
    for (const [index, [, why]] of leftOut.entries())
      expect(whyOf(`left_${index}`)).toContain(`left out of lists; it can be called: ${why}`)
    expect(whyOf('twice')).toBe('the server lists it twice, and the first definition is used')
    expect(log()).toContain('tools mended_0: listed with changes: inputSchema is missing')
    const { length } = faults.filter(({ kind }) => kind !== 'tools')
    expect(length).toBe(11)
    expect(aggregator.gateway.catalog.entryOf('healthy')?.faults).toBeUndefined()
    const call = { module: 'ill', tool_name: 'left_0', params: { a: 1 } }
    expect(await use('call', call)).toBe('called')
    expect(await use('search_tools', { query: 'left_0' })).toContain('left out of lists')
    expect(await use('search_tools', { query: 'mended_9' })).toContain(
      'inputSchema.required is true',
    )
    expect(JSON.stringify(tools)).toContain('"properties":null')
  })
})

test('a healthy definition is listed as it is', async () => {
  const client = await clientOf('SDK 1', open())
  const { tools } = await client.listTools()
  const { inputSchema, outputSchema } = tools.find(({ name }) => name === 'healthy__well') ?? {}
  expect(inputSchema).toEqual({
    ...object,
    properties: { any: {}, none: { not: {} } },
    'x-odd': null,
  })
  expect(outputSchema).toEqual({ ...object, $id: 'a:b', properties })
})
