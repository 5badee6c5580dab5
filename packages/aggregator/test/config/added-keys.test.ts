import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import type { AggregatorConfig } from '../../../servers/src/config/read-config.ts'
import type { Aggregator } from '../../src/server/aggregator-options.ts'

/**
 * The schemas as a later version may have them: each object has a key more, which is named after
 * its first one, such as `ownAllow` of the rules of tools. No code names these keys.
 */
const addedTo = (shape: object): string => `own_${Object.keys(shape)[0]}`

const rate = { calls: 1, seconds: 1, own_calls: 'rate' }
const rules = { deny: ['b'], tools: { read: { own_name: 'override' } }, own_allow: 'rules' }
const limits = { rate, own_rate: 'limits of a server' }
const sandbox = { network: true, own_by: 'sandbox' }
const oauth = { port: 2_000, own_clientId: 'sign-in' }
const settings = {
  profiles: { p: { servers: ['a'], own_description: 'profile' } },
  callers: { ada: { token: 'token-of-ada', own_token: 'caller' } },
  limits: { tool: rate, own_caller: 'limits' },
  oauth: {
    issuer: 'https://issuer.example',
    audience: 'x',
    scopes: { own_mcp: 'scopes' },
    own_issuer: 'access tokens',
  },
  trust: { own_pin: 'trust' },
  journal: { own_folder: 'journal' },
  telemetry: { own_traces: 'telemetry' },
  own_profile: 'settings',
}
const accounts = { work: { own_description: 'account' } }
const shared = { ...rules, ...limits, own_type: 'entry' }
const text = JSON.stringify({
  mcpServers: {
    a: { command: 'x', sandbox, accounts, ...shared },
    b: { url: 'https://x.example/', oauth, ...shared },
  },
  aggregator: settings,
})

let config: AggregatorConfig
let aggregator: Aggregator

beforeAll(async () => {
  vi.resetModules()
  vi.doMock('zod', async (original) => {
    const { z, ...rest } = await original<typeof import('zod')>()
    const strictObject = (shape: z.core.$ZodShape) =>
      z.strictObject({ ...shape, [addedTo(shape)]: z.string().optional() })
    return { ...rest, z: { ...z, strictObject } }
  })
  const { readConfig, createAggregator } = await import('../../src/index.ts')
  config = await readConfig(text, {})
  const { servers } = config
  aggregator = createAggregator({ servers, profiles: config.settings.profiles })
})
afterAll(() => {
  vi.doUnmock('zod')
  vi.resetModules()
  return aggregator.close()
})

test('a key that is added to the rules of tools is a rule of every server and account', () => {
  for (const server of [...config.servers, ...aggregator.gateway.fleet.units.values()])
    expect(server.rules).toEqual(rules)
})

test('a key that is added to any other object of an entry is a member of the server', () => {
  const [a, b] = config.servers
  expect(a).toMatchObject({
    limits,
    sandbox: { own_by: 'sandbox' },
    accounts: [{ account: 'work', limits, own_type: 'entry', own_description: 'account' }],
    own_type: 'entry',
  })
  expect(b).toMatchObject({ limits, oauth, own_type: 'entry' })
})

test('a key that is added to any object of the settings is one of the settings', () => {
  expect(config.settings).toEqual(settings)
})

test('an aggregator uses the objects that were read, and no copies of them', () => {
  const { fleet } = aggregator.gateway
  expect(fleet.servers).toBe(config.servers)
  expect([...fleet.units.values()]).toEqual([
    ...(config.servers[0]?.accounts ?? []),
    config.servers[1],
  ])
})
