import { expect, test } from 'vitest'
import type { Connect } from '../../../servers/src/connection/connection.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import type { Mode } from '../../../servers/src/protocol/request-context.ts'
import { configOf, createWorld, text, textOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const accounts = ['work', 'home', 'club']
const allTools = ['read_mail', 'search_recipes', 'book_court', 'list_notes']

/** Some tools for each account, the same for one seed. */
function offersOf(seed: number): Record<string, string[]> {
  let state = seed
  const isDrawn = (): boolean => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648 < 0.5
  }
  return Object.fromEntries(accounts.map((account) => [account, allTools.filter(isDrawn)]))
}

function open(offers: Record<string, string[]>, mode: Mode) {
  const called: string[] = []
  const connect: Connect = (options) => {
    const account = String(options.server.account)
    const tools = (offers[account] ?? []).map((name) => ({
      name,
      definition: { description: `${name.replace('_', ' ')}.` },
      run: () => {
        called.push(`${account}.${name}`)
        return text(`${account}.${name}`)
      },
    }))
    return createWorld({ s: { tools } }).connect(options)
  }
  const units = accounts.map((account) => configOf('s', { account }))
  const { aggregator, use } = openAggregator(
    {},
    { servers: [configOf('s', { accounts: units })], connect, mode },
  )
  const call = (tool_name: string, account?: string): Promise<string> => {
    const named = { ...(account !== undefined && { account }) }
    const request =
      mode === 'meta'
        ? { name: 'call', arguments: { module: 's', tool_name, params: {}, ...named } }
        : { name: `s__${tool_name}`, arguments: named }
    return aggregator
      .request({ method: 'tools/call', params: request })
      .then(textOf, (error: Error) => error.message)
  }
  const listed = async () => {
    const { tools } = (await aggregator.request({ method: 'tools/list' })) as {
      tools: (JsonObject & { name: string })[]
    }
    return tools
  }
  return { call, called, use, listed }
}

const seeds = Array.from({ length: 12 }, (_, seed) => seed + 1)
const [standard = ''] = accounts

test.each(seeds)('meta: search and schemas know whose each tool is (%d)', async (seed) => {
  const offers = offersOf(seed)
  const { use } = open(offers, 'meta')
  const schema = JSON.parse(await use('get_module_schema', { module: 's' })) as {
    tools: { name: string; accounts?: string[] }[]
  }
  for (const tool of allTools) {
    const owners = accounts.filter((account) => offers[account]?.includes(tool))
    const found = await use('search_tools', { query: tool.replace('_', ' '), limit: 1 })
    const listed = schema.tools.find(({ name }) => name === tool)
    if (owners.length === 0) {
      expect(listed).toBeUndefined()
      continue
    }
    expect(found).toContain(`s.${tool}(`)
    const isOfOther = !owners.includes(standard)
    expect(found.includes(`[account: ${owners.join(', ')}]`)).toBe(isOfOther)
    expect(listed?.accounts).toEqual(isOfOther ? owners : undefined)
    for (const account of accounts) {
      const ofOne = await use('get_module_schema', { module: 's', account })
      expect(ofOne.includes(`"${tool}"`)).toBe(owners.includes(account))
      const hits = await use('search_tools', { query: tool.replace('_', ' '), account })
      expect(hits.includes(`s.${tool}(`)).toBe(owners.includes(account))
    }
  }
})

test.each(
  seeds.flatMap((seed) => (['meta', 'list', 'full'] as const).map((mode) => [seed, mode] as const)),
)(
  'a call without an account is of the default one, whatever was called before (%d, %s)',
  async (seed, mode) => {
    const offers = offersOf(seed)
    const { call, called, listed } = open(offers, mode)
    await listed()
    for (let round = 0; round < 2; round++)
      for (const tool of allTools) {
        const owners = accounts.filter((account) => offers[account]?.includes(tool))
        for (const account of owners) expect(await call(tool, account)).toBe(`${account}.${tool}`)
        called.length = 0
        const answer = await call(tool)
        const isOwn = owners.includes(standard)
        expect(called).toEqual(isOwn ? [`${standard}.${tool}`] : [])
        if (!isOwn && owners.length > 0) expect(answer).toContain(owners.join(', '))
      }
  },
)

test('in full the account of a tool that the default one lacks is required', async () => {
  const { listed } = open({ work: ['read_mail'], home: ['read_mail', 'book_court'] }, 'full')
  const schemas = Object.fromEntries(
    (await listed()).map(({ name, inputSchema }) => [name, inputSchema]),
  )
  expect(schemas['s__read_mail']).toMatchObject({
    properties: { account: { enum: ['work', 'home'], default: 'work' } },
  })
  expect(schemas['s__book_court']).toEqual({
    type: 'object',
    properties: { account: { type: 'string', enum: ['home'] } },
    required: ['account'],
  })
})
