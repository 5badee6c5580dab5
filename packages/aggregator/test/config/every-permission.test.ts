import { expect, onTestFinished, test } from 'vitest'
import type { PermissionSettings } from '../../../servers/src/config/permission-settings.ts'
import { readConfig } from '../../../servers/src/config/read-config.ts'
import { createMemoryApprovalStore } from '../../src/call/approval/approval-store.ts'
import { createApprovals } from '../../src/call/approval/approvals.ts'
import { type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { keyPaths } from './key-paths.ts'

const a: FakeServer = {
  tools: [
    {
      name: 'put',
      definition: {
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      run: () => text('was put'),
    },
  ],
  prompts: [{ name: 'greet' }],
  resources: [{ uri: 'file:///srv/a.txt', name: 'a' }],
  answer: ({ method }) =>
    method === 'prompts/get' ? { messages: [] } : { contents: [{ uri: 'x', text: 'was put' }] },
}

const lists = ['deny', 'ask', 'allow'] as const
type List = (typeof lists)[number]

/** What happens to a call, or to another request, under these permissions. */
async function happens(permissions: PermissionSettings, member = ''): Promise<string> {
  const { servers, settings } = await readConfig(
    JSON.stringify({
      mcpServers: { a: { command: 'x', accounts: { work: {} } } },
      aggregator: { profiles: { office: {} }, permissions },
    }),
    {},
  )
  const { profiles, permissions: read } = settings
  const { aggregator, use } = openAggregator({ a }, { servers, profiles, permissions: read })
  onTestFinished(aggregator.close)
  const access = { caller: 'token:ada#1', isGuest: true, profile: 'office' }
  if (member === 'resources' || member === 'prompts') {
    const params = member === 'prompts' ? { name: 'a__greet' } : { uri: 'file:///srv/a.txt' }
    const method = member === 'prompts' ? 'prompts/get' : 'resources/read'
    return aggregator.request({ method, params }, { access }).then(() => 'was put', String)
  }
  const params = {
    path: '/srv/a.txt',
    size: 5,
    url: 'https://a.example:8443/x',
    nested: { list: ['x', 'y'] },
  }
  return use('call', { module: 'a', tool_name: 'put', params }, access)
}

const effects: Record<List, string> = {
  deny: 'denied by aggregator.permissions.deny[0]',
  ask: 'waits for approval',
  allow: 'was put',
}

/** What a rule of a list decides, where something else would happen without it. */
const decides = (list: List, rule: object, member?: string): Promise<string> =>
  happens({ [list]: [rule], default: list === 'allow' ? 'deny' : 'allow' }, member)

/** Members of a rule: one that applies to the request, and one that does not. */
const members: Record<string, readonly [applies: unknown, differs: unknown]> = {
  servers: [['a'], ['b']],
  tools: [['a.p*'], ['a.get']],
  resources: [['file:///srv/*'], ['file:///etc/*']],
  prompts: [['gr*'], ['part']],
  accounts: [['work'], ['home']],
  profiles: [['office'], ['home']],
  callers: [['token:ada'], ['token:bob']],
  'params.*.equals': [{ size: { equals: [4, 5] } }, { size: { equals: 4 } }],
  'params.*.prefix': [{ path: { prefix: '/srv' } }, { path: { prefix: '/etc' } }],
  'params.*.below': [{ path: { below: '/srv' } }, { path: { below: '/etc' } }],
  'params.*.host': [{ url: { host: ['*.example:8443'] } }, { url: { host: 'http://a.example' } }],
  'params.*.absent': [{ branch: { absent: true } }, { path: { absent: true } }],
  'params.*.not.host': [{ url: { not: { host: 'b.example' } } }, { url: { not: { host: '*' } } }],
  'params.*.min': [{ size: { min: 5 } }, { size: { min: 6 } }],
  'params.*.max': [{ size: { max: 5 } }, { size: { max: 4 } }],
  'params.*.matches': [
    { 'nested.list[1]': { matches: '^[xy]$' } },
    { 'nested.list[*]': { matches: '^z' } },
  ],
  'params.*.not.equals': [{ size: { not: { equals: 4 } } }, { size: { not: { equals: 5 } } }],
  'params.*.not.prefix': [
    { path: { not: { prefix: '/etc' } } },
    { path: { not: { prefix: '/srv' } } },
  ],
  'params.*.not.below': [
    { path: { not: { below: '/etc' } } },
    { path: { not: { below: '/srv' } } },
  ],
  'params.*.not.min': [{ size: { not: { min: 6 } } }, { size: { not: { min: 5 } } }],
  'params.*.not.max': [{ size: { not: { max: 4 } } }, { size: { not: { max: 5 } } }],
  'params.*.not.matches': [
    { path: { not: { matches: 'z' } } },
    { path: { not: { matches: 'txt$' } } },
  ],
  'annotations.readOnlyHint': [{ readOnlyHint: false }, { readOnlyHint: true }],
  'annotations.destructiveHint': [{ destructiveHint: false }, { destructiveHint: true }],
  'annotations.idempotentHint': [{ idempotentHint: true }, { idempotentHint: false }],
  'annotations.openWorldHint': [{ openWorldHint: false }, { openWorldHint: true }],
}

test.each(lists)('every member of a rule of %s narrows it', async (list) => {
  for (const [path, [applies, differs]] of Object.entries(members)) {
    const [member = ''] = path.split('.')
    const results = [
      await decides(list, { [member]: applies }, member),
      await decides(list, { [member]: differs }, member),
    ]
    expect([path, results[0]]).toEqual([path, expect.stringContaining(effects[list])])
    expect([path, results[1]]).toEqual([path, expect.not.stringContaining(effects[list])])
  }
})

const all = { servers: ['*'] }

const others: Record<string, () => Promise<void>> = {
  'deny.[].reason': async () =>
    expect(await decides('deny', { ...all, reason: 'Not today.' })).toContain(
      'deny[0]: Not today. Nothing',
    ),
  'ask.[].reason': async () =>
    expect(await decides('ask', { ...all, reason: 'Of the team.' })).toContain(
      'ask[0]: Of the team. Nothing',
    ),
  // Only explain shows why something is allowed.
  'allow.[].reason': async () =>
    expect(await decides('allow', { ...all, reason: 'Harmless.' })).toBe('was put'),
  'allow.[].only': async () => {
    const named = { path: { below: '/srv' }, size: 5, url: { host: '*' } }
    const of = (params: object) => decides('allow', { params, only: true })
    expect(await of(named)).toContain('is denied')
    expect(await of({ ...named, 'nested.other': { absent: true } })).toContain('is denied')
    expect(await of({ ...named, 'nested.list[*]': { equals: ['x', 'y'] } })).toBe('was put')
  },
  'ask.[].approver': async () => {
    expect(await decides('ask', { ...all, approver: 'another' })).toContain('Another person')
    expect(await decides('ask', all)).toContain('A person must')
  },
  default: async () => {
    expect(await happens({ default: 'deny' })).toContain('denied by aggregator.permissions.default')
    expect(await happens({ default: 'ask' })).toContain('waits for approval')
    expect(await happens({ default: 'allow' })).toBe('was put')
  },
  approvalMinutes: async () => {
    const until = async (approvalMinutes: number) => {
      const reply = await happens({ default: 'ask', approvalMinutes })
      return Date.parse(/until (\S+)\.$/.exec(reply)?.[1] ?? '') - Date.now()
    }
    expect(await until(600)).toBeGreaterThan(595 * 60_000)
    expect(await until(3)).toBeLessThan(5 * 60_000)
  },
}

test.each(Object.entries(others))('permissions.%s arrives where it is used', (_, arrives) =>
  arrives(),
)

test('every key of the permissions is looked for', () => {
  const paths = keyPaths().filter((path) => path.startsWith('aggregator.permissions.'))
  const ofRules = lists.flatMap((list) => Object.keys(members).map((path) => `${list}.[].${path}`))
  const rows = [...ofRules, ...Object.keys(others)].map((path) => `aggregator.permissions.${path}`)
  expect(rows.sort()).toEqual(paths)
})

test('the first list with a rule that applies decides', async () => {
  const rule = { tools: ['a.put'] }
  expect(await happens({ allow: [rule], ask: [rule], deny: [rule] })).toContain('denied by')
  expect(await happens({ allow: [rule], ask: [rule], default: 'deny' })).toContain('waits for')
  expect(await happens({ allow: [rule], default: 'deny' })).toBe('was put')
})

test.each([
  [{ params: { path: { matches: '(' } } }, 'deny[0].params.path.matches is no pattern of RE2'],
  [{ params: { path: { below: 'srv' } } }, 'must be an absolute path, got "srv"'],
  [{ reason: 'Because' }, 'deny.0 must say which calls it is for; "servers": ["*"] is for all'],
  [{ param: {} }, 'deny.0.param is not a known key. The most similar key is params'],
])('a wrong rule is refused: %j', async (rule, problem) => {
  await expect(decides('deny', rule)).rejects.toThrow(problem)
})

test('a pattern without a match, in each member that has names, is reported', async () => {
  const rule = { servers: ['aa'], tools: ['a.putt'], accounts: ['works'], profiles: ['offices'] }
  const { servers, settings } = await readConfig(
    JSON.stringify({
      mcpServers: { a: { command: 'x', accounts: { work: {} }, annotations: { putt: {} } } },
      aggregator: { profiles: { office: {} }, permissions: { ask: [rule] } },
    }),
    {},
  )
  const { profiles, permissions } = settings
  const { aggregator, use } = openAggregator({ a }, { servers, profiles, permissions })
  onTestFinished(aggregator.close)
  await use('call', { module: 'a', tool_name: 'put', params: {} })
  expect(await aggregator.gateway.fleet.unmatched()).toEqual([
    'mcpServers.a.annotations: "putt" matches no tool of a. The most similar name is put.',
    'aggregator.permissions.ask[0].servers: "aa" matches no server. The most similar name is a.',
    'aggregator.permissions.ask[0].tools: "a.putt" matches no tool. The most similar name is a.put.',
    'aggregator.permissions.ask[0].accounts: "works" matches no account. The most similar name is work.',
    'aggregator.permissions.ask[0].profiles: "offices" matches no profile. The most similar name is office.',
  ])
})

test('a caller with as many waiting calls as it may loses its oldest one', async () => {
  const approvals = createApprovals(createMemoryApprovalStore())
  const question = (index: number, caller: string) => ({
    key: `${caller}${index}`,
    caller,
    session: 's',
    server: 'a',
    tool: 'put',
    args: '{}',
    setting: 'x',
    needsAnother: false,
    validMs: 60_000,
  })
  for (let index = 0; index < 50; index++) await approvals.request(question(index, 'ada'))
  expect((await approvals.request(question(50, 'ada'))).state).toBe('waiting')
  expect((await approvals.request(question(0, 'bob'))).state).toBe('waiting')
  const keys = (await approvals.list()).map(({ key }) => key)
  expect(keys).toHaveLength(51)
  expect(keys).not.toContain('ada0')
})

test.each(['a.example/16', '10.0.0.0/33', '[fd00::/129]', 'https://a.example/x', 'a b'])(
  'a host %s is refused',
  async (host) => {
    const permissions = { deny: [{ params: { url: { host } } }] }
    await expect(happens(permissions)).rejects.toThrow('permissions.deny.0.params.url')
  },
)
