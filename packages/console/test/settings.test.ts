import { valueAt } from '@pith-mcp/base/table'
import { expect, test } from 'vitest'
import { editsOf, withoutEmpty, withSecrets } from '../web/settings/edits-of.ts'
import { fieldsFor, inWords, schemaAt } from '../web/settings/schema-at.ts'

const base = ['mcpServers', 'notes']

test('only what differs is an edit, lists as a whole', () => {
  const before = { command: 'node', args: ['a'], env: { A: '1', B: '2' }, tags: ['x'] }
  const after = { command: 'deno', args: ['a', 'b'], env: { B: '2', C: '3' }, tags: ['x'] }
  expect(editsOf(base, before, after)).toEqual([
    { path: [...base, 'command'], value: 'deno' },
    { path: [...base, 'args'], value: ['a', 'b'] },
    { path: [...base, 'env', 'A'] },
    { path: [...base, 'env', 'C'], value: '3' },
  ])
  expect(editsOf(base, before, structuredClone(before))).toEqual([])
})

test('what is new or gone is one edit', () => {
  expect(editsOf(base, undefined, { url: 'x', env: { A: '1' } })).toEqual([
    { path: base, value: { url: 'x', env: { A: '1' } } },
  ])
  expect(editsOf(base, { accounts: { a: { args: [] } } }, {})).toEqual([
    { path: [...base, 'accounts'] },
  ])
})

test('fields that are left empty are no values', () => {
  const data = { rate: { calls: undefined, seconds: undefined }, env: {}, tags: [], pin: false }
  expect(withoutEmpty(data)).toEqual({ tags: [], pin: false })
})

test('of a rule in a list only its own empty members are no values', () => {
  const rule = { tools: ['a'], annotations: { readOnlyHint: undefined }, params: { path: {} } }
  expect(withoutEmpty({ ask: [rule, {}] })).toEqual({
    ask: [{ tools: ['a'], params: { path: {} } }, {}],
  })
})

test('secrets within a new object become edits of their own', () => {
  const edits = [
    { path: base, value: { command: 'x', env: { A: 's', B: 't' } } },
    { path: ['mcpServers', 'web', 'headers', 'H'], value: 'u' },
    { path: ['mcpServers', 'web', 'url'], value: 'v' },
  ]
  const stored = new Set(['mcpServers\nnotes\nenv\nA', 'mcpServers\nweb\nheaders\nH'])
  expect(withSecrets(edits, stored)).toEqual([
    { path: base, value: { command: 'x', env: { B: 't' } } },
    { path: [...base, 'env', 'A'], value: 's', isSecret: true },
    { path: ['mcpServers', 'web', 'headers', 'H'], value: 'u', isSecret: true },
    { path: ['mcpServers', 'web', 'url'], value: 'v' },
  ])
  expect(edits[0]?.value).toEqual({ command: 'x', env: { A: 's', B: 't' } })
})

const root = {
  properties: {
    mcpServers: {
      additionalProperties: {
        type: 'object',
        properties: {
          command: { type: 'string' },
          args: { type: 'array', items: { type: 'string' } },
          idleMinutes: { type: 'number' },
          asks: { type: 'array', items: { type: 'string', enum: ['form', 'url'] } },
          pin: { type: 'boolean' },
        },
      },
    },
  },
}

test('a form has the chosen members in their order, with their names in words', () => {
  const schema = schemaAt(root, base, ['idleMinutes', 'args', 'none'])
  expect(schema['properties']).toEqual({
    idleMinutes: { type: 'number', title: 'Idle minutes' },
    args: { type: 'array', items: { type: 'string' }, title: 'Arguments' },
  })
  expect(inWords('startTimeoutSeconds')).toBe('Start timeout seconds')
})

test('lists are lines, words are boxes, and what may be neither true nor false is a choice', () => {
  const schema = schemaAt(root, base)
  expect(fieldsFor(schema, { args: ['a'] })).toMatchObject({
    args: { 'ui:widget': 'LinesWidget' },
    asks: { 'ui:widget': 'checkboxes' },
    pin: { 'ui:widget': 'SwitchWidget' },
  })
  // An argument with several lines would become several arguments.
  expect(fieldsFor(schema, { args: ['a\nb'] })['args']).toEqual({})
})

test('the members of rules in a list are fields; values of any kind are JSON', () => {
  const rule = {
    type: 'object',
    properties: {
      tools: { type: 'array', items: { type: 'string' } },
      params: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }] } },
      approver: { type: 'string', const: 'another' },
    },
  }
  const rules = schemaAt(
    { properties: { permissions: { properties: { ask: { type: 'array', items: rule } } } } },
    ['permissions'],
  )
  expect(fieldsFor(rules, {})).toMatchObject({
    ask: {
      items: { tools: { 'ui:widget': 'LinesWidget' }, params: { 'ui:field': 'JsonField' } },
    },
  })
  const several = fieldsFor(rules, { ask: [{ tools: ['a\nb'] }] })
  expect(valueAt(several, ['ask', 'items', 'tools'])).toEqual({})
  // A form would fill in a constant.
  expect(valueAt(rules, ['properties', 'ask', 'items', 'properties', 'approver'])).toEqual({
    type: 'string',
    enum: ['another'],
    title: 'Approver',
  })
})
