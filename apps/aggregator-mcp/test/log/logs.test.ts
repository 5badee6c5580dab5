import { afterAll, describe, expect, test } from 'vitest'
import { configure, startAggregator, startOverHttp, until } from '../running/aggregator-process.ts'
import { metaOverStdio } from '../telemetry/meta-servers.ts'

const secret = 'xY7-not-for-logs-0123456789'
// Each test makes the call that ends the server.
const { args, remove } = configure(
  {
    pipe: metaOverStdio({ META_TOKEN: secret }),
    broken: { command: 'no-such-command-anywhere' },
  },
  { journal: { holdRepeatsMinutes: 0 } },
)
afterAll(() => remove())

interface Line {
  time: string
  level: string
  msg: string
  [field: string]: unknown
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

describe('as JSON', () => {
  test('every line on stderr is an object, calls are told at debug, and nothing secret', async () => {
    const flags = ['--log-format', 'json', '--log-level', 'debug', '--stderr']
    const aggregator = await startAggregator([...args, ...flags])
    await aggregator.call('pipe', 'meta')
    await aggregator.call('pipe', 'token')
    await aggregator.call('broken', 'anything')
    await aggregator.stop()
    const text = aggregator.stderr()
    expect(text).not.toContain(secret)
    const lines = linesOf(text)
    for (const { time, level, msg } of lines) {
      expect(new Date(time).toISOString()).toBe(time)
      expect(['debug', 'info', 'warn', 'error']).toContain(level)
      expect(typeof msg).toBe('string')
    }
    const call = { level: 'debug', kind: 'call', server: 'pipe', tool: 'meta', outcome: 'ok' }
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...call,
        ms: expect.any(Number),
        msg: 'pipe.meta: ok',
        request: expect.stringMatching(/^[89ab][0-9a-f]{15}$/),
      }),
    )
    expect(lines).toContainEqual(
      expect.objectContaining({
        server: 'pipe',
        msg: 'pipe: the token is [redacted]',
        level: 'info',
      }),
    )
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/^pipe ended: /) }),
    )
  })

  test('events are told at info, calls are not, and no link opens the console', async () => {
    const aggregator = await startOverHttp([...args, '--log-format', 'json'], {
      ...process.env,
      AGGREGATOR_MCP_TOKEN: 'token-of-the-owner',
    })
    const url = aggregator.url.replace(/".*$/, '')
    await fetch(url)
    await until(() => aggregator.stderr().includes('rejected'))
    await aggregator.stop()
    const lines = linesOf(aggregator.stderr())
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'info',
        kind: 'event',
        outcome: 'rejected',
        reason: 'no_credential',
      }),
    )
    expect(lines.filter(({ kind }) => kind !== undefined && kind !== 'event')).toEqual([])
    expect(aggregator.stderr()).not.toMatch(/#code=(?!\[redacted\])/)
  })

  test('less is said at a higher level', async () => {
    const env = {
      ...process.env,
      AGGREGATOR_MCP_LOG_FORMAT: 'json',
      AGGREGATOR_MCP_LOG_LEVEL: 'error',
    }
    const aggregator = await startAggregator(args, env)
    await aggregator.call('pipe', 'token')
    await aggregator.stop()
    expect(aggregator.stderr()).toBe('')
  })
})

test('as text, lines are for people, and only those there were before', async () => {
  const aggregator = await startAggregator(args)
  await aggregator.call('pipe', 'meta')
  await aggregator.call('pipe', 'token')
  await aggregator.stop()
  const lines = aggregator.stderr().trimEnd().split('\n')
  expect(lines).toEqual(['aggregator-mcp: pipe ended: the process exited with code 3.'])
})
