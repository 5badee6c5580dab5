import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { formatOf } from '../src/page-format.ts'
import { openapi } from '../src/readers/openapi.ts'

const info = { title: 'Pets', version: '1' }
const pets = (schema: object, schemas: object = {}) => ({
  openapi: '3.0.3',
  info,
  paths: {
    '/pets': {
      get: {
        responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
      },
    },
  },
  components: { schemas },
})

async function readApi(root: object | string) {
  const text = typeof root === 'string' ? root : JSON.stringify(root)
  const page = await openapi.read(text, { url: 'api.json' })
  return { page, markdown: toMarkdown(page), unread: page.health.unread }
}

test.for([
  ['openapi: 3.0.0\ninfo: {}', 'OpenAPI'],
  ['# A comment\n"swagger": "2.0"', 'OpenAPI'],
  ['info:\n  openapi: 3.0.0', undefined],
  ['text: |\n  openapi: 3.0.0', undefined],
  ['openapi: yes', undefined],
  ['{"info": {"title": "{"}, "openapi": "3.1.0"}', 'OpenAPI'],
  ['{"info": {"openapi": "3.1.0"}}', undefined],
  ['["openapi", "3.1.0"]', undefined],
  ['{"a": "openapi", "b": "3.1.0"}', undefined],
  ['{'.repeat(1_000_000), undefined],
  ['"'.repeat(1_000_000), undefined],
] as const)('a description is recognised by its root: %#', ([text, name]) => {
  const bytes = Buffer.from(text)
  expect(formatOf({ url: 'file:///a/b.yaml', type: '', bytes }, text)?.name).toBe(name)
})

test('references are named, followed for what they say, and may lead in a circle', async () => {
  const { markdown, unread } = await readApi({
    ...pets(
      { $ref: '#/components/schemas/Pet' },
      {
        Pet: { type: 'object', properties: { mother: { $ref: '#/components/schemas/Pet' } } },
      },
    ),
    paths: {
      '/pets/{id}': {
        parameters: [{ $ref: '#/x/Id' }, { $ref: '#/x/A' }, { $ref: 'else.yaml#/Limit' }],
        get: {},
        put: { parameters: [{ $ref: 'else.yaml#/Limit' }] },
      },
    },
    x: {
      Id: { name: 'id', in: 'path', description: 'Of a pet.', required: true, schema: {} },
      A: { $ref: '#/x/B' },
      B: { $ref: '#/x/A' },
    },
  })
  expect(markdown).toContain('|`id`|path|yes|Of a pet.|')
  expect(markdown).toContain('|`else.yaml#/Limit`|||See else.yaml#/Limit.|')
  expect(markdown).toContain('|`mother`|Pet|')
  expect(unread).toEqual(['1 reference to another file', '1 value of the key `x`'])
})

test('types are in words', async () => {
  const properties = {
    ids: { type: 'array', items: { type: 'integer', format: 'int64', maximum: 9 } },
    state: { enum: ['a|b', 1, null] },
    size: { type: ['number', 'null'], readOnly: true },
    names: { type: 'object', additionalProperties: { type: 'string' } },
    either: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'string' }], nullable: true },
    at: { type: 'object', properties: { x: { type: 'integer', default: 0 } }, required: ['x'] },
  }
  const { markdown } = await readApi(pets({ type: 'object', properties }))
  expect(markdown).toContain('|`ids`|array of integer (int64)||(each: (at most `9`))|')
  expect(markdown).toContain('|`state`|"a\\|b" or 1 or null|||')
  expect(markdown).toContain('|`size`|number or null||(read only)|')
  expect(markdown).toContain('|`names`|map of string|||')
  expect(markdown).toContain('|`either`|Cat or string or null|||')
  expect(markdown).toContain('|`at.x`|integer|yes|(default `0`)|')
})

const wide = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { oneOf: Array.from({ length: 8 }, () => wide(depth - 1)) }
const many = (count: number, item: (at: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, item(at)]))
const bomb = `openapi: 3.0.0
info: {title: Bomb, version: '1'}
a: &a [${'x,'.repeat(50)}x]
${Array.from('bcdefghi', (name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}x]`).join('\n')}`

const hostile = [
  ['schemas in schemas', pets(wide(6)), 'Pets'],
  [
    'a description that many operations share',
    {
      openapi: '3.0.0',
      info,
      x: { name: 'a', description: 'word '.repeat(10_000) },
      paths: many(6_000, () => ({ parameters: [{ $ref: '#/x' }], get: {} })),
    },
    'Pets',
  ],
  ['many members', pets({ properties: many(400_000, () => ({})) }), 'Pets'],
  ['aliases of aliases', bomb, ''],
  ['deep JSON', `{"openapi":"3.0.0","a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, ''],
  ['deep YAML', `openapi: 3.0.0\na: ${'- '.repeat(20_000)}`, ''],
  ['a long key', `openapi: 3.0.0\n${'a'.repeat(1_000_000)}`, ''],
  ['brackets', `openapi: 3.0.0\na: ${'['.repeat(1_000_000)}`, ''],
  ['anchors', `openapi: 3.0.0\na: ${'&a '.repeat(300_000)}`, ''],
  ['tags', `openapi: 3.0.0\na:\n${' !a\n'.repeat(300_000)}`, ''],
] as const

test.for(hostile)('hostile: %s', async ([, root, title]) => {
  const { page, markdown, unread } = await readApi(root)
  expect(page.title).toBe(title)
  expect(markdown.length).toBeLessThan(2 ** 24)
  expect(unread?.length).toBeGreaterThan(0)
})

test('what selects a schema, what is required with what, and what applies in some cases is said', async () => {
  const { markdown, unread } = await readApi({
    ...pets(
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { required: ['name'] }],
        discriminator: { propertyName: 'kind', mapping: { kitty: '#/components/schemas/Cat' } },
      },
      {
        Cat: {
          allOf: [{ $ref: '#/components/schemas/Pet' }, { required: ['kind', 'age'] }],
          properties: { kind: { type: 'string', title: 'The kind', examples: ['kitty'] } },
          patternProperties: { '^a': { type: 'number', multipleOf: 2 } },
          additionalProperties: false,
          dependentRequired: { kind: ['name'] },
          if: { properties: { kind: { const: 'kitty' } } },
          ...Object.fromEntries([['then', { properties: { mew: { type: 'boolean' } } }]]),
          unknownKey: 1,
          'x-own': 2,
        },
      },
    ),
  })
  expect(markdown).toContain('Cat or with `name` – (chosen by `kind`: `kitty` → Cat)')
  expect(markdown).toContain('|`kind`|string|yes|The kind Example: `"kitty"`|')
  expect(markdown).toContain('|`/^a/`|number||(a multiple of `2`)|')
  expect(markdown).toContain('Required: `age`.\n\n`kind` requires `name`.')
  expect(markdown).toContain('**If: object**\n\n|Name|Type|\n|-|-|\n|`kind`|"kitty"|')
  expect(markdown).toContain('**Then: object**\n\n|Name|Type|\n|-|-|\n|`mew`|boolean|')
  expect(markdown).toContain('(no other members)')
  expect(unread).toEqual(['1 value of the key `unknownKey`', '1 extension'])
})

test('callbacks are below their operation, with all that an operation has', async () => {
  const done = {
    description: 'Heard.',
    headers: { 'X-Left': { schema: { type: 'integer' }, description: 'Left.' } },
  }
  const { page, markdown, unread } = await readApi({
    openapi: '3.1.0',
    info,
    paths: {
      '/a': {
        summary: 'All of a.',
        post: {
          responses: {
            200: {
              description: 'OK',
              links: { next: { operationId: 'getB', parameters: { id: '$response.body#/id' } } },
            },
          },
          callbacks: {
            done: {
              '{$request.body#/url}': { post: { summary: 'Called.', responses: { 200: done } } },
            },
          },
        },
      },
    },
  })
  expect(page.sections.map(({ title, level }) => [title, level]).slice(1)).toEqual([
    ['POST /a', 2],
    ['callback done: POST {$request.body#/url}', 3],
  ])
  expect(markdown).toContain('All of a.')
  expect(markdown).toContain('|`next`|getB|`{"id":"$response.body#/id"}`|')
  expect(markdown).toContain(
    '**200** headers\n\n|Name|Type|Description|\n|-|-|-|\n|`X-Left`|integer|Left.|',
  )
  expect(unread).toBeUndefined()
})

test('no member of an alternative is one of the object, nor required of it', async () => {
  let seed = 62
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * limit)
  }
  let count = 0
  const schemaOf = (depth: number, place: string): object => {
    const names = Array.from({ length: 1 + below(2) }, () => `m${count++}_${place}`)
    const parts = (key: string, next: string) =>
      depth < 3 && below(2) === 0
        ? { [key]: Array.from({ length: 1 + below(3) }, () => schemaOf(depth + 1, next)) }
        : {}
    return {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names.slice(0, below(3)),
      ...parts('allOf', place),
      ...parts('oneOf', `${place}x${count}`),
      ...parts('anyOf', `${place}y${count}`),
    }
  }
  for (let round = 0; round < 100; round++) {
    const { markdown } = await readApi(pets({ type: 'string' }, { Pet: schemaOf(0, 'own') }))
    const tables = (markdown.split('### Pet')[1] ?? '').split('|Name|').slice(1)
    for (const table of tables) {
      const places = [...(table.split(/\n\n/)[0]?.matchAll(/`m\d+_(\w+)`/g) ?? [])].map(
        ([, place]) => place,
      )
      expect(new Set(places).size, table).toBe(1)
    }
  }
})

test.for([
  [
    { type: 'array', items: { type: 'string', pattern: 'P', description: 'Each.' } },
    'array of string',
    '(each: Each. (pattern `"P"`))',
  ],
  [
    { type: 'object', additionalProperties: { type: 'string', maxLength: 9 } },
    'map of string',
    '(each value: (characters at most `9`))',
  ],
  [
    { prefixItems: [{ type: 'string', description: 'First.' }] },
    'array of [string]',
    '(item 0: First.)',
  ],
  [{ type: 'array', contains: { const: 'C' } }, 'array', '(such items: "C")'],
  [
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 },
    'integer',
    '(more than `0`, at most `9`)',
  ],
  [
    {
      oneOf: [
        { type: 'string', title: 'Name' },
        { const: 1, title: 'One' },
      ],
    },
    'Name (string) or One (1)',
    '',
  ],
])('%j is said whole', async ([member, type, notes]) => {
  const { markdown } = await readApi(
    pets({ type: 'string' }, { Pet: { properties: { m: member } } }),
  )
  expect(markdown).toContain(`|\`m\`|${type}|${notes ? `${notes}|` : ''}`)
})

test('integers that a number cannot hold stay as they are, in JSON and YAML', async () => {
  const schema = '"maximum": 9223372036854775807, "description": "of 12345678901234567890, at most"'
  const json = JSON.stringify(pets({ type: 'string' }, { Pet: { type: 'integer', x: 0 } }))
  const { markdown } = await readApi(json.replace('"x":0', schema))
  expect(markdown).toContain('at most `9223372036854775807`')
  expect(markdown).toContain('of 12345678901234567890, at most')
  const yaml =
    'openapi: 3.1.0\ninfo: {title: A, version: 1}\ncomponents:\n  schemas:\n    Pet: {type: integer, maximum: 9223372036854775807, minimum: 1}\n'
  expect((await readApi(yaml)).markdown).toContain('(at least `1`, at most `9223372036854775807`)')
})

test('a description beside a reference comes before that of its target', async () => {
  const { markdown } = await readApi({
    openapi: '3.1.0',
    info,
    paths: {
      '/a': { get: { parameters: [{ $ref: '#/components/parameters/P', description: 'Here.' }] } },
    },
    components: { parameters: { P: { name: 'p', in: 'query', description: 'There.' } } },
  })
  expect(markdown).toContain('|`p`|query|Here.|')
})
