import { expect, test } from 'vitest'
import { createPermissions } from '../../aggregator/src/catalog/policy/permissions.ts'
import { permissions } from '../../servers/src/config/permission-settings.ts'
import {
  faultOf,
  type Row,
  type RuleDraft,
  rowsOf,
  rulesOf,
  ruleText,
  testFor,
} from '../web/rules/rule.ts'

const draft = (effect: RuleDraft['effect'], ...rows: Row[]): RuleDraft => ({
  ...{ server: 'files', tool: 'write', effect, rows, reason: '' },
})
const row = (parameter: string, test: Row['test'], value = ''): Row => ({ parameter, test, value })

/** What the rule decides about arguments. */
async function effectOn(of: RuleDraft, args: object, caller?: string): Promise<string | undefined> {
  const { list, rules } = rulesOf(of)
  const settings = permissions.parse({ [list]: rules })
  const server = { name: 'files' }
  const decision = await createPermissions(settings, [server])?.decide({
    ...{ server, caller, profile: undefined },
    target: { kind: 'tool', names: ['write'], definition: { inputSchema: {} }, args },
  } as never)
  return decision?.effect
}

test.each<[RuleDraft, string, object, string]>([
  [draft('ask'), 'A person is asked before each call of files.write.', {}, 'ask'],
  [
    draft('ask', row('path', 'below', '/srv')),
    '… if path is in the folder /srv.',
    { path: '/srv/a' },
    'ask',
  ],
  [
    draft('ask', row('path', 'below', '/srv')),
    '… if path is in the folder /srv.',
    { path: '/etc/a' },
    'allow',
  ],
  [
    draft('deny', row('url', 'host', 'a.example')),
    '… denied if url is at the host a.example.',
    { url: 'https://a.example/x' },
    'deny',
  ],
  [draft('deny', row('n', 'min', '10')), '… denied if n is at least 10.', { n: 12 }, 'deny'],
  [draft('deny', row('n', 'min', '10')), '… denied if n is at least 10.', { n: 9 }, 'allow'],
  [draft('deny', row('n', 'max', '10')), '… denied if n is at most 10.', { n: 9 }, 'deny'],
  [
    draft('deny', row('force', 'is', 'true')),
    '… denied if force is true.',
    { force: true },
    'deny',
  ],
  [
    draft('deny', row('branch', 'is', 'main')),
    '… denied if branch is main.',
    { branch: 'dev' },
    'allow',
  ],
  [draft('ask', row('to', 'absent')), '… if to is absent.', {}, 'ask'],
  [draft('ask', row('to', 'absent')), '… if to is absent.', { to: 'ada' }, 'allow'],
  [
    draft('only', row('a', 'is', '1'), row('b', 'prefix', 'x')),
    '… are denied unless a is 1 and b begins with x.',
    { a: 1, b: 'xy' },
    'allow',
  ],
  [
    draft('only', row('a', 'is', '1'), row('b', 'prefix', 'x')),
    '… are denied unless a is 1 and b begins with x.',
    { a: 1, b: 'y' },
    'deny',
  ],
  [
    draft('only', row('a', 'is', '1'), row('b', 'prefix', 'x')),
    '… are denied unless a is 1 and b begins with x.',
    { a: 2, b: 'xy' },
    'deny',
  ],
  [draft('only', row('a', 'is', '1')), '… are denied unless a is 1.', {}, 'deny'],
  [draft('only', row('n', 'is', '12')), '… are denied unless n is 12.', { n: '12' }, 'allow'],
  [draft('only', row('n', 'is', '12')), '… are denied unless n is 12.', { n: 12 }, 'allow'],
  [draft('only', row('n', 'is', '007')), '… are denied unless n is 007.', { n: '7' }, 'deny'],
  [
    draft('deny', row('["odd name.x"]', 'is', 'y')),
    '… denied if ["odd name.x"] is y.',
    { 'odd name.x': 'y' },
    'deny',
  ],
])('the rule of %j, %s', async (of, words, args, effect) => {
  expect(ruleText(of)).toContain(words.replace('…', '').trim())
  expect(await effectOn(of, args)).toBe(effect)
})

test('a rule of one caller is for no other', async () => {
  const of = { ...draft('deny'), caller: 'token:ci' }
  expect(await effectOn(of, {}, 'token:ci#12ab')).toBe('deny')
  expect(await effectOn(of, {}, 'token:ada#12ab')).toBe('allow')
})

test('rows are the parameters of the schema and of the call, with its values', () => {
  const schema = { properties: { path: { type: 'string' }, deep: { type: 'object' } } }
  expect(rowsOf(schema, { path: '/a', more: 3, 'a b': 'x', 'a"b': 'x' })).toEqual([
    row('path', '', '/a'),
    row('more', '', '3'),
    row('["a b"]', '', 'x'),
    row('deep', ''),
  ])
  expect(rowsOf(undefined)).toEqual([])
})

test('a value that is entered suggests its test, and what cannot be is said', () => {
  expect(['/srv', 'C:\\x', 'main', ''].map(testFor)).toEqual(['below', 'below', 'is', ''])
  expect(faultOf(row('n', 'min', 'x'))).toContain('number')
  expect(faultOf(row('p', 'below', 'srv'))).toContain('absolute path')
  expect(faultOf(row('p', 'is', ' '))).toContain('Enter a value')
  expect(faultOf(row('u', 'host', 'https://a.example/x'))).toContain('without a path')
  expect(faultOf(row('p', 'absent'))).toBeUndefined()
})

test('a tool whose name has dots is not one of another server', async () => {
  const settings = permissions.parse({
    deny: rulesOf({ ...draft('deny'), server: 'a', tool: 'b.c' }).rules,
  })
  const servers = [{ name: 'a' }, { name: 'a.b' }]
  const decide = (name: string, tool: string) =>
    createPermissions(settings, servers)?.decide({
      ...{ server: { name }, caller: undefined, profile: undefined },
      target: { kind: 'tool', names: [tool], definition: {}, args: {} },
    } as never)
  expect((await decide('a', 'b.c'))?.effect).toBe('deny')
  expect((await decide('a.b', 'c'))?.effect).toBe('allow')
})
