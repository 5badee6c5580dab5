import { expect, test } from 'vitest'
import type { CatalogEntry } from '../../../src/catalog/entries/catalog-entry.ts'
import { describeUnmatched } from '../../../src/catalog/policy/unmatched.ts'
import { configOf } from '../../fake-servers.ts'

const send = {
  type: 'object',
  properties: {
    message: { type: 'string', maxLength: 200 },
    amount: { type: 'integer', minimum: 1, maximum: 100 },
    urgent: { type: 'boolean' },
    branch: { enum: ['main', 'dev'] },
    to: { type: 'array', items: { type: 'object', properties: { mail: { type: 'string' } } } },
    more: { type: 'object' },
    one: { anyOf: [{ type: 'string' }] },
  },
}

const entry = {
  tools: [
    { name: 'send', inputSchema: send },
    { name: 'open', inputSchema: { type: 'object' } },
  ],
  prompts: [{ name: 'greet' }],
  resources: [{ uri: 'mail://inbox' }],
  resourceTemplates: [{ uriTemplate: 'box://{id}' }],
  skills: [],
} as unknown as CatalogEntry

const said = (permissions: object, more: object = {}, isKnown = true) =>
  describeUnmatched(
    { servers: [configOf('s', more)], permissions, callers: { ada: {} } } as never,
    () => (isKnown ? entry : undefined),
  )

const ofSend = (params: object) => ({ deny: [{ tools: ['s.send'], params }] })

test.each([
  [{ mesage: 'x' }, 'The most similar one is message.'],
  [{ 'to[*].male': { prefix: 'x' } }, '"to[*].male" is no parameter'],
  [{ 'to.mail': 'x' }, '"to.mail" is no parameter'],
  [{ 'message.text': 'x' }, undefined],
  [{ amount: { min: 9, max: 1 } }, 'no value meets {"min":9,"max":1}.'],
  [{ amount: { min: 1_000 } }, 'no value that the schema of "amount" allows meets'],
  [{ amount: { max: 0 } }, 'no value that the schema'],
  [{ amount: { equals: [0, 500] } }, 'no value that the schema'],
  [{ amount: { equals: [0, 50] } }, undefined],
  [{ branch: 'prod' }, 'no value that the schema of "branch" allows meets "prod".'],
  [{ branch: { not: { equals: ['main', 'dev'] } } }, 'no value that the schema'],
  [{ branch: { prefix: 'ma' } }, undefined],
  [{ urgent: 5 }, 'no value that the schema of "urgent" allows'],
  [{ message: { prefix: 'x'.repeat(201) } }, 'no value that the schema'],
  [{ message: { equals: 'a', prefix: 'b' } }, 'no value meets'],
  [{ message: { equals: 'a', not: { equals: 'a' } } }, 'no value meets'],
  [{ message: { prefix: 'secret/', not: { prefix: 'secret' } } }, 'no value meets'],
  [{ message: { prefix: 'secret', not: { prefix: 'secret/' } } }, undefined],
  [{ message: { below: '/a', prefix: '/b' } }, 'no value meets'],
  [{ message: { below: '/a', not: { below: '/a' } } }, 'no value meets'],
  [{ message: { equals: 'abc', matches: '^x' } }, 'no value meets'],
  [{ message: { equals: 'abc', matches: '^a' } }, undefined],
  [{ amount: { min: 5, not: { min: 3 } } }, 'no value meets'],
  [{ 'more.anything': 1 }, undefined],
  [{ one: 1 }, undefined],
])('%j', async (params, expected) => {
  const sentences = await said(ofSend(params))
  if (expected === undefined) expect(sentences).toEqual([])
  else
    expect(sentences).toEqual([
      expect.stringMatching(/^aggregator\.permissions\.deny\[0\]\.params: /),
    ])
  expect(sentences.join()).toContain(expected ?? '')
})

test.each([
  [{ deny: [{ callers: ['bob'] }] }, 'callers: "bob" matches no caller'],
  [{ ask: [{ callers: ['tokn:*'] }] }, 'callers: "tokn:*" matches no caller'],
  [{ ask: [{ callers: ['ada', 'token:x', 'jwt:*', 'owner', '*'] }] }, undefined],
  [
    { deny: [{ prompts: ['gret'] }] },
    'prompts: "gret" matches no prompt. The most similar name is greet.',
  ],
  [{ deny: [{ prompts: ['gr*'] }] }, undefined],
  [{ deny: [{ resources: ['mial://inbox'] }] }, 'resources: "mial://inbox" matches no resource'],
  [{ deny: [{ resources: ['mail://outbox', 'box://*', '*'] }] }, undefined],
])('%j', async (permissions, expected) => {
  const sentences = await said(permissions)
  if (expected === undefined) expect(sentences).toEqual([])
  else expect(sentences.join()).toContain(expected)
})

test('a selection that is for no tool', async () => {
  expect(await said({}, { results: { select: { 'fetch_*': 'a', 'se*': 'a' } } })).toEqual([
    'mcpServers.s.results.select: "fetch_*" matches no tool of s.',
  ])
})

test('a fence that is for no tool', async () => {
  expect(await said({}, { results: { fence: ['fetch_*', 'se*'] } })).toEqual([
    'mcpServers.s.results.fence: "fetch_*" matches no tool of s.',
  ])
})

test('a rule for all tools is of one of them, and an open schema may have any parameter', async () => {
  expect(await said({ deny: [{ servers: ['s'], params: { mesage: 'x' } }] })).toEqual([])
})

test('what is not known yet is not said', async () => {
  expect(await said(ofSend({ mesage: 'x' }), {}, false)).toEqual([])
  expect(await said({ deny: [{ prompts: ['gret'], resources: ['mial://x'] }] }, {}, false)).toEqual(
    [],
  )
})
