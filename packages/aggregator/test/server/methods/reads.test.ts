import { expect, test } from 'vitest'
import type { Journal } from '../../../../journal/src/journal.ts'
import { AggregatorError } from '../../../../servers/src/protocol/aggregator-error.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const skill = 'skill://s/SKILL.md'
const server: FakeServer = {
  capabilities: {
    tools: {},
    prompts: {},
    resources: {},
    extensions: { 'io.modelcontextprotocol/skills': {} },
  },
  tools: [{ name: 'x', run: () => text('done') }],
  prompts: [{ name: 'p' }],
  resources: [{ uri: 'notes://1', name: 'one' }],
  answer: ({ method, params }) =>
    method === 'skills/list'
      ? { skills: [{ uri: skill, frontmatter: { name: 's', description: 'd' } }] }
      : method === 'skills/get'
        ? { skill: { uri: params?.['uri'] } }
        : { contents: [{ uri: params?.['uri'], text: 'a text of some length' }] },
}

/** All requests to a server that are not tool calls. */
const reads: [string, JsonObject][] = [
  ['resources/read', { uri: 'notes://1' }],
  ['prompts/get', { name: 'a__p' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'a__p' } }],
  ['skills/get', { uri: 'skill://a/s/SKILL.md' }],
  ['resources/directory/read', { uri: 'skill://a/s' }],
  ['resources/subscribe', { uri: 'notes://1' }],
  ['resources/unsubscribe', { uri: 'notes://1' }],
]

/** What ends a subscription is not limited. */
const limited = reads.filter(([method]) => method !== 'resources/unsubscribe')

function open(options: Partial<Parameters<typeof openAggregator>[1]> = {}) {
  const opened = openAggregator({ a: server }, { servers: [configOf('a')], ...options })
  const context = createClient().context()
  const ask = (method: string, params: JsonObject = {}) =>
    answerRequest({ method, params }, context, opened.aggregator.deps)
  return { ...opened, ask }
}

test('30 of 30 reads have a line with server, target, size, tokens and outcome', async () => {
  const { ask, lines } = open()
  await ask('prompts/list')
  for (let count = 0; count < 30; count++) {
    const [method, params] = reads[count % reads.length] ?? ['', {}]
    await ask(method, params)
  }
  const read = lines.filter(({ kind }) => kind === 'read')
  expect(read).toHaveLength(30)
  for (const line of read)
    expect(line).toMatchObject({ module: 'a', outcome: 'ok', ms: expect.any(Number) })
  expect(read[0]).toMatchObject({
    tool: 'resources/read',
    target: 'notes://1',
    resultBytes: expect.any(Number),
    sentTokens: expect.any(Number),
  })
})

test('the query of a URI and credentials in it are not written down', async () => {
  const { ask, lines } = open()
  await ask('prompts/list')
  await ask('resources/read', { uri: 'notes://user:pw@host/1?key=abc#x' })
  expect(lines.at(-1)).toMatchObject({ kind: 'read', target: 'notes://…@host/1?…' })
})

test('a read that fails has a line with the reason', async () => {
  const { ask, lines } = open()
  await expect(ask('resources/read', { uri: 'other://1' })).rejects.toThrow('Resource not found')
  expect(lines).toMatchObject([{ kind: 'read', target: 'other://1', outcome: 'rpc_-32602' }])
  await expect(ask('resources/read', { uri: 'other://1?key=abc' })).rejects.toThrow('key=abc')
  expect(JSON.stringify(lines)).not.toContain('key=abc')
})

test.each(limited)(
  'with a limit of 3 for the server, three of six pass: %s',
  async (method, params) => {
    const { ask } = open({ limits: { server: { calls: 3, seconds: 600 } } })
    await ask('prompts/list')
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => ask(method, params)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  },
)

test.each(limited)('a limit of the caller counts %s', async (method, params) => {
  const { ask } = open({ limits: { caller: { calls: 2, seconds: 600 } } })
  await ask('prompts/list')
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => ask(method, params)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('reads and calls share the budget of a session and the slots of a server', async () => {
  const { ask } = open({ limits: { sessionTokens: 10 } })
  await ask('prompts/list')
  await ask('resources/read', { uri: 'notes://1' })
  await expect(ask('prompts/get', { name: 'a__p' })).rejects.toThrow('budget of 10')
  let running = 0
  let most = 0
  const slow: FakeServer = {
    ...server,
    answer: async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      return { contents: [] }
    },
  }
  const { aggregator } = openAggregator(
    { a: { ...slow, capabilities: { resources: {} } } },
    { servers: [configOf('a', { limits: { maxConcurrency: 2 } })] },
  )
  const read = { method: 'resources/read', params: { uri: 'notes://1' } }
  await Promise.all(Array.from({ length: 6 }, () => aggregator.request(read)))
  expect(most).toBe(2)
})

test.each(reads)('%s is refused if the journal fails closed', async (method, params) => {
  const journal: Journal = {
    check() {
      throw new AggregatorError('journal_unwritable', 'The journal is full.', 'Nothing was done.')
    },
    write() {},
    close() {},
  }
  const { ask, world } = open({ journal })
  await expect(ask(method, params)).rejects.toThrow('Nothing was done')
  expect(world.requests.filter((one) => one.message.method === method)).toEqual([])
})
