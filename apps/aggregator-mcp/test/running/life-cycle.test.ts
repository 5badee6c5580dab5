import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { configure, isAlive, odd, startAggregator, until } from './aggregator-process.ts'

const isLong = process.env['LONG'] === '1'

const cleanings: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean()
})

async function start(servers: object, ...flags: string[]) {
  const { args, remove, folder } = configure(servers)
  cleanings.push(remove)
  const aggregator = await startAggregator([...args, ...flags])
  cleanings.push(aggregator.stop)
  return { ...aggregator, folder, args }
}

/** Processes whose command line names the folder. */
function processesOf(pattern: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(pattern) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

const isLinux = process.platform === 'linux'

describe('a server that goes away', () => {
  test('in the middle of a call is named in the reply, and the next call works', async () => {
    const { call } = await start({ a: odd() })
    expect(await call('a', 'echo', { text: 'before' })).toBe('before')
    const said = await call('a', 'crash')
    expect(said).toMatch(
      /^The server a ended during the call: the process exited with code 7\. It last wrote: <server-text>out of luck<\/server-text> The call may have had effects/,
    )
    expect(await call('a', 'echo', { text: 'after' })).toBe('after')
  })

  test.each(['meta', 'full'])('between two calls is started again, in %s', async (mode) => {
    const { request, call } = await start({ a: odd() }, '--mode', mode)
    let count = 0
    const ask = async (tool: string): Promise<string> => {
      // A repetition of a call that was lost is not sent.
      const args = { text: 'well', count: count++ }
      if (mode === 'meta') return call('a', tool, args)
      const params = { name: `a__${tool}`, arguments: args }
      const { result, error } = await request('tools/call', params)
      return result?.content?.[0]?.text ?? `error ${error?.code}: ${error?.message}`
    }
    const saids: string[] = []
    for (let time = 0; time < 12; time++) {
      // The call is sent before anything noticed that the process is gone.
      process.kill(Number(await ask('pid')), 'SIGKILL')
      saids.push(await ask('echo'))
      // Left alone, it is not said to fail again and again.
      expect(await ask('echo')).toBe('well')
    }
    // A call that was taken before the end may have had effects, and says so.
    for (const said of saids)
      expect(said).toMatch(/^well$|^The server a ended during the call: .*may have had effects/)
  })

  test('and reads nothing any more is started again for the next call', async () => {
    const { call } = await start({ a: odd('--faulty') })
    expect(await call('a', 'unread', { text: 'last' })).toBe('last')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await call('a', 'echo', { text: 'well' })).toBe('well')
  })

  test('by closing its output ends the call, whose time limit is minutes', async () => {
    const { call } = await start({ a: odd('--faulty') })
    await call('a', 'echo', { text: 'warm' })
    expect(await call('a', 'mute')).toMatch(
      /^The server a ended during the call: it closed its output\./,
    )
    expect(await call('a', 'echo', { text: 'well' })).toBe('well')
  })

  test.each(isLong ? ['meta', 'list', 'full'] : ['meta'])(
    'or sends a malformed answer, refuses the call at once in %s',
    async (mode) => {
      const { request, call } = await start({ a: odd('--faulty') }, '--mode', mode)
      const ask = async (tool: string) =>
        mode === 'meta'
          ? call('a', tool)
          : request('tools/call', { name: `a__${tool}`, arguments: {} }).then(
              ({ result, error }) => result?.content?.[0]?.text ?? error?.message ?? '',
            )
      expect(await ask('null')).toMatch(/answered with a result that is not an object: null/)
      expect(await ask('deep')).toMatch(/nested more than 1000 levels deep.*may have had effects/)
      expect(await ask('pid')).toMatch(/^\d+$/)
    },
  )

  const answers: [object, RegExp][] = [
    [{ result: [1] }, /a result that is not an object: \[1\]/],
    [{ error: 'boom' }, /The server answered with boom/],
    [{ result: null, error: { code: -32000, message: 'disk full' } }, /disk full/],
    [{}, /a result that is not an object: nothing/],
    [{ error: { message: 'no code' } }, /no code/],
    [{ error: { code: 'EFAIL', message: 'a text for a code' } }, /a text for a code/],
    [{ result: { content: [{ type: 'text', text: 'fine' }] }, error: null }, /^fine$/],
    [{ result: { content: [{ type: 'text', text: 'fine' }], _meta: null } }, /^fine$/],
  ]
  test.each(isLong ? answers : answers.slice(0, 3))(
    'or answers %j ends the call, whose time limit is minutes',
    async (answer, said) => {
      const { call } = await start({ a: odd('--faulty') })
      expect(await call('a', 'odd', { answer })).toMatch(said)
    },
  )
})

describe.skipIf(!isLinux)('nothing stays behind', () => {
  const deafServers = (folder: string) => ({
    deaf: odd('--deaf', '--child', join(folder, 'child')),
    plain: odd(),
  })

  async function startDeaf() {
    const { folder, remove } = configure({})
    cleanings.push(remove)
    const started = await start(deafServers(folder))
    const pids = [
      Number(await started.call('deaf', 'pid')),
      Number(await started.call('plain', 'pid')),
      Number(readFileSync(join(folder, 'child'), 'utf8')),
    ]
    expect(pids.every(isAlive)).toBe(true)
    return { ...started, pids }
  }

  test('when the client leaves', async () => {
    const { pids, stop } = await startDeaf()
    await stop()
    await until(() => !pids.some(isAlive))
  })

  test.each(isLong ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'after %s',
    async (signal) => {
      const { pids, child } = await startDeaf()
      child.kill(signal)
      await once(child, 'exit')
      await until(() => !pids.some(isAlive))
    },
  )

  test('after kill -9', async () => {
    const { pids, child } = await startDeaf()
    child.kill('SIGKILL')
    expect(await until(() => !pids.some(isAlive), 5_000)).toBeLessThan(5_000)
  })
})

test('lines that are no messages are passed over', async () => {
  const { call } = await start({ a: odd('--noise') })
  expect(await call('a', 'echo', { text: 'clear' })).toBe('clear')
})

describe('a server that hangs, one that is missing and one that fails at once', () => {
  const bad = {
    hangs: odd('--hang'),
    missing: { command: 'no-such-command-anywhere' },
    fails: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
  }

  test('say what is wrong with them', async () => {
    const { call } = await start(bad)
    expect(await call('missing', 'x')).toContain(
      'the command no-such-command-anywhere was not found',
    )
    expect(await call('fails', 'x')).toContain('the process exited with code 3')
  })
})

test('what servers offer is known at the next start, with none of them running', async () => {
  const { args, request, stop } = await start({ a: odd('--tag', 'kept-catalog') }, '--mode', 'full')
  await request('tools/list')
  await stop()
  const again = await startAggregator([...args, '--mode', 'full'])
  cleanings.push(again.stop)
  const { result } = await again.request('tools/list')
  expect(result?.tools).toHaveLength(6)
  if (isLinux) expect(processesOf('kept-catalog')).toEqual([])
})

test('without state, what is temporary is in a folder that nobody could make before', async () => {
  const { args, folder, remove } = configure({ a: odd() })
  cleanings.push(remove)
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const env = { ...process.env, TMPDIR: temporary }
  const { stop, child } = await startAggregator([...args.slice(0, 3), '--no-state'], env)
  const names = readdirSync(temporary)
  expect(names).toEqual([expect.stringMatching(/^aggregator-mcp-\w{6}$/)])
  expect(names).not.toContain(`aggregator-mcp-${child.pid}`)
  if (isLinux) expect(statSync(join(temporary, names[0] ?? '')).mode & 0o777).toBe(0o700)
  await stop()
  expect(readdirSync(temporary)).toEqual([])
})
