import { expect, test } from 'vitest'
import { readConfig } from '../../../servers/src/config/read-config.ts'
import type { FakeServer } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

/** Settings as the manual writes them, misspelt, misplaced or of the wrong kind: none holds. */
const tool: FakeServer = { tools: [{ name: 'wipe' }, { name: 'read' }] }
const fakes = { a: tool, b: tool }

const a = (more: object) => ({ mcpServers: { a: { command: 'x', ...more } } })
const web = (more: object) => ({ mcpServers: { a: { url: 'https://example.com/', ...more } } })
const with_ = (aggregator: object) => ({ ...a({ accounts: { work: {} } }), aggregator })
const profile = (more: object) => with_({ profiles: { p: more } })

/** Refused when the file is read. */
const refused: [string, object | string, RegExp][] = [
  ['a root key', { ...a({}), agregator: { trust: { new: 'hold' } } }, /similar key is aggregator/],
  ['trust', { ...a({}), trust: { new: 'hold' } }, /belongs in aggregator\./],
  ['profiles', { ...a({}), profiles: {} }, /belongs in aggregator\./],
  ['callers', { ...a({}), callers: {} }, /belongs in aggregator\./],
  ['oauth', { ...a({}), oauth: {} }, /belongs in mcpServers\.<server> or aggregator/],
  ['limits', { ...a({}), limits: {} }, /belongs in aggregator\./],
  [
    'deny at the root',
    { ...a({}), deny: ['wipe'] },
    /belongs in mcpServers\.<server> or aggregator\.profiles\.<profile>/,
  ],
  [
    'two objects aggregator',
    '{"mcpServers":{},"aggregator":{},"aggregator":{}}',
    /aggregator is defined twice: at line 1, column 18 and at line 1, column 34/,
  ],
  ['two objects mcpServers', '{"mcpServers":{},"mcpServers":{}}', /mcpServers is defined twice/],
  [
    'two lists deny',
    '{"mcpServers":{"a":{"command":"x","deny":["wipe"],"deny":[]}}}',
    /mcpServers\.a\.deny is defined twice/,
  ],
  [
    'a key twice in a list',
    '{"mcpServers":{"a":{"command":"x"}},"aggregator":{"profiles":{"p":{"deny":["a"],"deny":[]}}}}',
    /aggregator\.profiles\.p\.deny is defined twice/,
  ],
  ['a key in other case', a({ Deny: ['wipe'] }), /similar key is deny/],
  ['trust in an entry', a({ trust: { new: 'hold' } }), /belongs in aggregator\./],
  ['profile in an entry', a({ profile: 'p' }), /belongs in aggregator/],
  ['limits in an entry', a({ limits: {} }), /belongs in aggregator/],
  [
    'headers on a command',
    a({ headers: { k: 'v' } }),
    /has headers, which applies to servers with a url/,
  ],
  ['oauth on a command', a({ oauth: {} }), /has oauth, which applies to servers with a url/],
  ['env on a url', web({ env: { K: 'v' } }), /has env, which applies to servers with a command/],
  ['args on a url', web({ args: [] }), /has args/],
  ['cwd on a url', web({ cwd: '/' }), /has cwd/],
  ['sandbox on a url', web({ sandbox: {} }), /has sandbox/],
  [
    'headers of an account of a command',
    a({ accounts: { w: { headers: {} } } }),
    /has accounts\.w\.headers/,
  ],
  [
    'url of an account of a command',
    a({ accounts: { w: { url: 'https://x/' } } }),
    /has accounts\.w\.url/,
  ],
  ['env of an account of a url', web({ accounts: { w: { env: {} } } }), /has accounts\.w\.env/],
  ['on and off', a({ enabled: true, disabled: true }), /keep one of them/],
  [
    'an account that does not exist',
    a({ accounts: { w: {} }, account: 'v' }),
    /not one of its accounts/,
  ],
  ['new outside trust', with_({ new: 'hold' }), /belongs in aggregator\.trust/],
  ['scan outside trust', with_({ scan: true }), /belongs in aggregator\.trust/],
  ['failClosed outside journal', with_({ failClosed: true }), /belongs in aggregator\.journal/],
  [
    'sessionTokens outside limits',
    with_({ sessionTokens: 5 }),
    /belongs in aggregator\.callers\.<caller> or aggregator\.limits/,
  ],
  ['a value of trust.new', with_({ trust: { new: 'deny' } }), /must be "hold" or "allow"/],
  ['hold without pins', with_({ trust: { new: 'hold', pin: false } }), /cannot be "hold"/],
  [
    'a profile that does not exist',
    with_({ profile: 'q', profiles: { p: {} } }),
    /must name a profile/,
  ],
  [
    'a caller of a profile that does not exist',
    with_({ callers: { c: { token: 'secret-token', profile: 'q' } } }),
    /must name a profile/,
  ],
  ['deny as a text', a({ deny: 'wipe' }), /must be a list/],
  ['readOnly as a text', a({ readOnly: 'yes' }), /must be true or false/],
  [
    'enabled of a tool as a text',
    a({ tools: { wipe: { enabled: 'no' } } }),
    /must be true or false/,
  ],
  [
    'a misspelt member of a tool',
    a({ tools: { wipe: { enable: false } } }),
    /similar key is enabled/,
  ],
]

/** Accepted, and said once the tools are known. */
const said: [string, object, RegExp][] = [
  [
    'a misspelt tool',
    a({ deny: ['wype'] }),
    /^mcpServers\.a\.deny: "wype" matches no tool of a\. The most similar name is wipe\.$/,
  ],
  [
    'a pattern of none',
    a({ allow: ['read*', 'del*'] }),
    /^mcpServers\.a\.allow: "del\*" matches no tool/,
  ],
  [
    'an override of none',
    a({ tools: { wype: { enabled: false } } }),
    /^mcpServers\.a\.tools: "wype"/,
  ],
  [
    'an override in other case',
    a({ tools: { Wipe: { description: 'x' } } }),
    /^mcpServers\.a\.tools: "Wipe"/,
  ],
  [
    'a tool without its server',
    profile({ deny: ['wipe'] }),
    /^aggregator\.profiles\.p\.deny: "wipe" matches no tool\. The most similar name is a\.wipe/,
  ],
  [
    'a tool of another server',
    profile({ allow: ['c.wipe'] }),
    /^aggregator\.profiles\.p\.allow: "c\.wipe"/,
  ],
  [
    'a misspelt tool of a server',
    profile({ deny: ['a.wype'] }),
    /"a\.wype" matches no tool\. The most similar name is a\.wipe/,
  ],
  [
    'a server that does not exist',
    profile({ servers: ['aa*'] }),
    /^aggregator\.profiles\.p\.servers: "aa\*" matches no server/,
  ],
  [
    'a tag of none',
    profile({ tags: ['office'] }),
    /^aggregator\.profiles\.p\.tags: "office" matches no tag/,
  ],
  [
    'accounts of a server that does not exist',
    profile({ accounts: { aa: ['work'] } }),
    /^aggregator\.profiles\.p\.accounts: "aa" matches no server/,
  ],
  [
    'an account that does not exist',
    profile({ accounts: { a: ['werk'] } }),
    /^aggregator\.profiles\.p\.accounts\.a: "werk" matches no account of a\. The most similar name is work/,
  ],
]

const open = async (config: object) => {
  const { servers, disabled, settings } = await readConfig(JSON.stringify(config), {})
  const opened = openAggregator(fakes, { servers, disabled, profiles: settings.profiles })
  return opened
}

test.each(refused)('%s is refused', async (_, config, message) => {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  await expect(readConfig(text, {})).rejects.toThrow(message)
})

test.each(said)('%s is said', async (_, config, message) => {
  const { aggregator, use } = await open(config)
  await use('get_module_schema', { module: 'a' })
  expect(await aggregator.gateway.fleet.unmatched()).toEqual([expect.stringMatching(message)])
})

test('50 kinds of settings that would not hold, none in silence', () => {
  // With the one that needs a state folder, in the tests of aggregator-mcp.
  expect(refused.length + said.length + 1).toBe(50)
})

test('a setting of a tool that is not known yet may match', async () => {
  const { aggregator } = await open(a({ deny: ['wype'] }))
  expect(await aggregator.gateway.fleet.unmatched()).toEqual([])
})

test('settings that match are not said, nor those of disabled servers', async () => {
  const { aggregator, use } = await open({
    mcpServers: {
      a: { command: 'x', tags: ['t'], deny: ['WIPE', 'a.r*'], tools: { a__read: { name: 'see' } } },
      off: { command: 'x', enabled: false },
    },
    aggregator: {
      profiles: {
        p: {
          servers: ['a', 'off'],
          tags: ['t'],
          allow: ['a', 'a__read', 'off.x'],
          deny: ['A.see'],
        },
      },
    },
  })
  await use('get_module_schema', { module: 'a' })
  expect(await aggregator.gateway.fleet.unmatched()).toEqual([])
})

test.each([
  [{ deny: ['a.wipe'] }, {}],
  [{ deny: ['a__wipe'] }, {}],
  [{ deny: ['Wipe'] }, {}],
  [{ tools: { Wipe: { enabled: false } } }, {}],
  [{ tools: { 'a.wipe': { enabled: false } } }, {}],
  [{ allow: ['a__read'] }, {}],
  [{}, { deny: ['A.wipe'] }],
  [{}, { deny: ['a__wipe'] }],
  [{}, { deny: ['A__WIPE'] }],
])('every form of a name holds: %j %j', async (entry, own) => {
  const { use, world } = await open({ ...a(entry), aggregator: { profiles: { p: own } } })
  const reply = await use('call', { module: 'a', tool_name: 'wipe' }, { profile: 'p' })
  expect(reply).toMatch(/has no tool|disabled by|There is no server/)
  expect(world.requests.filter(({ message }) => message.method === 'tools/call')).toEqual([])
})

test('keys of clients are listed as without effect', async () => {
  const { ignored } = await readConfig(JSON.stringify(a({ autoApprove: ['wipe'] })), {})
  expect(ignored).toEqual(['mcpServers.a.autoApprove'])
})
