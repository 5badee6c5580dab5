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
  expect(unread).toEqual(['1 reference to another file'])
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
  expect(markdown).toContain('|`ids`|array of integer (int64)|||')
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
