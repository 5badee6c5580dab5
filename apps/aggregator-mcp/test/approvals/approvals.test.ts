import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasPostgres, hasRedis } from '../../../../test/engines.ts'
import { speak } from '../fidelity/rig/speakers.ts'
import { newUser } from '../fidelity/rig/user.ts'
import { type Cluster, startCluster } from '../replicas/cluster.ts'
import {
  type Answer,
  callOf,
  envelope,
  initialise,
  type Json,
  killReplica,
  modern,
  post,
  textOf,
} from '../replicas/replica-client.ts'
import { configure, startAggregator, startOverHttp } from '../running/aggregator-process.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../replicas/counting-server.mjs', import.meta.url))
const isLong = process.env['LONG'] !== undefined
const permissions = { ask: [{ tools: ['counting.*'] }] }
const count = (key: string) => callOf('counting', 'count', { key })

/** A server that notes each execution, and how often it has executed a key. */
function createCounting() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-approvals-'))
  const file = join(folder, 'executed')
  writeFileSync(file, '')
  return {
    servers: { counting: { command: process.execPath, args: [program, file] } },
    executed: (key: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line === key).length,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function openOne() {
  const { servers, executed, remove } = createCounting()
  const configured = configure(servers, { permissions })
  onTestFinished(() => {
    remove()
    configured.remove()
  })
  const [main = '', ...options] = configured.args
  const cli = async (...words: string[]): Promise<string> =>
    (await run(process.execPath, [main, ...words, ...options])).stdout
  return { args: configured.args, cli, executed }
}

const idIn = (text: string): string => /waits for approval (\w+)/.exec(text)?.[1] ?? text

const speakers = (['v1', 'v2', 'v2 of 2026'] as const).flatMap((name) =>
  (['stdio', 'http'] as const).map((way) => ({ name, way })),
)

describe.runIf(isLong)('one process', () => {
  test.each(speakers)('asks the user of client $name over $way, once a call', async (at) => {
    const { args, executed } = openOne()
    const http = at.way === 'http' ? await startOverHttp(args) : undefined
    const user = newUser()
    const speaker = await speak(
      at.name,
      http ? { type: 'http', url: http.url } : { command: process.execPath, args: [...args] },
      user,
    )
    const call = async (key: string, answer: Json): Promise<string> => {
      user.elicitation = () => answer
      const result = await speaker.callTool({ ...count(key), _meta: {} }, {})
      return textOf({ result } as Answer)
    }
    expect(await call('a', { action: 'cancel' })).toMatch(/was refused by .* Nothing was called/)
    expect(await call('a', { action: 'accept', content: { approve: 'once' } })).toBe('a')
    expect(await call('a', { action: 'decline' })).toContain('was refused by')
    expect(await call('b', { action: 'accept', content: { approve: 'session' } })).toBe('b')
    expect(await call('b', { action: 'decline' })).toBe('b')
    expect(
      user.requested.map(({ params }) => /"key": "(.)"/.exec(String(params['message']))?.[1]),
    ).toEqual(['a', 'a', 'a', 'b'])
    expect([executed('a'), executed('b')]).toEqual([1, 2])
    await speaker.close()
    await http?.stop()
  })

  test('runs one of 100 calls for an approval that another process gave, also after a restart', async () => {
    const { args, cli, executed } = openOne()
    const before = await startAggregator(args)
    const id = idIn(await before.call('counting', 'count', { key: 'a' }))
    await before.stop()
    const answers = ['approve', 'refuse', 'approve'].map((word) => cli('approvals', word, id))
    const outcomes = await Promise.allSettled(answers)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const isApproved = (await cli('approvals')).includes(`${id} once`)
    const after = await startAggregator(args)
    await after.call('counting', 'count', { key: 'rm -r /<server-text>tmp\u202e\u009b' })
    const listed = '{"key":"rm -r /\\u003cserver-text>tmp\\u{202E}\\u{9B}"}'
    expect(await cli('approvals')).toContain(listed)
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => after.call('counting', 'count', { key: 'a' })),
    )
    expect(replies.filter((reply) => reply === 'a')).toHaveLength(isApproved ? 1 : 0)
    expect(executed('a')).toBe(isApproved ? 1 : 0)
    await after.stop()
  })
})

describe.skipIf(!hasPostgres || !hasRedis)('two replicas', () => {
  const counting = createCounting()
  const { executed } = counting
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(2, counting.servers, { aggregator: { permissions } })
  })
  afterAll(async () => {
    await cluster?.stop()
    counting.remove()
  })

  const asks: Json = { elicitation: { form: {} } }
  const urlOf = (at: number): string => cluster.replicas[at % 2]?.url ?? ''
  const call = (at: number, key: string, more: Json = {}, capabilities: Json = {}) =>
    post(
      urlOf(at),
      'tools/call',
      { ...count(key), ...more, ...envelope(capabilities) },
      modern('tools/call', 'call'),
    )

  test.each([
    ['2026', (at: number) => call(at, '2026')],
    [
      '2025',
      async (at: number) =>
        post(urlOf(at), 'tools/call', count('2025'), await initialise(urlOf(at))),
    ],
  ] as const)('run one of 100 calls of %s, of which the other one was asked', async (key, send) => {
    const id = idIn(textOf(await send(0)))
    expect(idIn(textOf(await send(1)))).toBe(id)
    await cluster.cli('approvals', 'approve', id)
    const replies = await Promise.all(Array.from({ length: 100 }, (_, at) => send(at)))
    expect(replies.map(textOf).filter((text) => text === key)).toHaveLength(1)
    expect(executed(key)).toBe(1)
  })

  test('take the answer to a form on either one, once, and run what was shown', async () => {
    const reply = await call(0, 'form', {}, asks)
    const [question = ''] = Object.keys(Object(reply.result?.['inputRequests']))
    const retry = {
      requestState: reply.result?.requestState,
      inputResponses: { [question]: { action: 'accept', content: { approve: 'once' } } },
    }
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call(at + 1, 'changed', retry, asks)),
    )
    expect(replies.map(textOf).filter((text) => text === 'form')).toHaveLength(1)
    expect([executed('form'), executed('changed')]).toEqual([1, 0])
  })

  test('ask the user of a client of 2025 through both', async () => {
    const user = newUser()
    user.elicitation = () => ({ action: 'accept', content: {} })
    const speaker = await speak('v1', { type: 'http', url: `${cluster.url}/mcp` }, user)
    await speaker.callTool({ ...count('v1'), _meta: {} }, {})
    user.elicitation = () => ({ action: 'cancel' })
    await speaker.callTool({ ...count('v1'), _meta: {} }, {})
    expect(user.requested).toHaveLength(2)
    expect(executed('v1')).toBe(1)
    await speaker.close()
  })

  test('lose an open form with the replica that has it, and no approval', async () => {
    const id = idIn(textOf(await call(0, 'kept')))
    const reply = await call(0, 'lost', {}, asks)
    await cluster.cli('approvals', 'approve', id)
    await killReplica(cluster, 0)
    const { requestState } = reply.result ?? {}
    const inputResponses = { ask1: { action: 'accept', content: {} } }
    const late = await call(1, 'lost', { requestState, inputResponses }, asks)
    expect(textOf(late)).toContain('has ended')
    await cluster.restart(0)
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => call(at, 'kept')))
    expect(replies.map(textOf).filter((text) => text === 'kept')).toHaveLength(1)
    expect([executed('kept'), executed('lost')]).toEqual([1, 0])
  })
})
