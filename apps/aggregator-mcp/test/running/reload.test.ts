import { renameSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { configure, odd, startAggregator, until } from './aggregator-process.ts'

let end = async (): Promise<void> => {}
afterEach(() => end())

async function open(servers: Record<string, object>) {
  const { args, config, remove } = configure(servers)
  const aggregator = await startAggregator(args)
  end = async () => {
    await aggregator.stop()
    remove()
  }
  const write = (mcpServers: object, more: object = {}) => {
    // As editors do.
    writeFileSync(`${config}.new`, JSON.stringify({ mcpServers, ...more }))
    renameSync(`${config}.new`, config)
  }
  return { ...aggregator, config, write }
}

describe('a configuration that changes while it is used', () => {
  test('is applied: servers come and go, and only what changed is restarted', async () => {
    const { call, write, stderr } = await open({ a: odd(), b: odd() })
    const pids = { a: await call('a', 'pid'), b: await call('b', 'pid') }
    write({ a: odd(), b: odd('--noise'), c: odd() })
    await until(() => stderr().includes('added c; restarted b'))
    expect(await call('c', 'echo', { text: 'here' })).toBe('here')
    expect(await call('a', 'pid')).toBe(pids.a)
    expect(await call('b', 'pid')).not.toBe(pids.b)
    write({ a: odd() })
    await until(() => stderr().includes('removed b, c'))
    expect(await call('c', 'echo', { text: 'x' })).toContain('There is no server "c"')
    expect(await call('a', 'pid')).toBe(pids.a)
  })

  test('and is wrong is refused whole, and the old one kept', async () => {
    const { call, config, write, stderr } = await open({ a: odd() })
    const pid = await call('a', 'pid')
    for (const [index, text] of [
      '{"mcpServers": {',
      '{"mcpServers": {"a": {"command": 7}, "b": {"command": "x"}}}',
      '{"mcpServers": {"b": {"command": "x"}}, "aggregator": {"profile": "none"}}',
    ].entries()) {
      writeFileSync(config, text)
      await until(() => stderr().split('The configuration is unchanged').length > index + 1)
    }
    expect(await call('a', 'pid')).toBe(pid)
    expect(await call('b', 'echo')).toContain('There is no server "b"')
    write({ a: odd(), b: odd() })
    await until(() => stderr().includes('added b'))
    expect(await call('b', 'echo', { text: 'here' })).toBe('here')
  })

  test('lets the calls finish that are under way', async () => {
    const { call, write, stderr } = await open({ a: odd(), b: odd() })
    const slow = call('a', 'slow', { ms: 2_000, text: 'at last' })
    await call('a', 'echo', { text: 'x' })
    write({ b: odd() })
    await until(() => stderr().includes('removed a'))
    expect(await call('a', 'echo')).toContain('There is no server "a"')
    expect(await slow).toBe('at last')
  })

  test('changes what a profile shows, and what is allowed, at the next call', async () => {
    const { call, write, stderr } = await open({ a: odd() })
    expect(await call('a', 'echo', { text: 'x' })).toBe('x')
    write({ a: { ...odd(), deny: ['echo'] } })
    await until(() => stderr().includes('reloaded'))
    expect(await call('a', 'echo', { text: 'x' })).toContain('has no tool "echo"')
    expect(stderr()).not.toContain('restarted')
  })
})

/** Each takes a tenth of a second. */
const changes = process.env['LONG'] === '1' ? 200 : 10

test(`${changes} changes under load lose no call`, async () => {
  const { call, write, stderr } = await open({ a: odd(), b: odd() })
  let isOver = false
  const wrong: string[] = []
  let made = 0
  const load = Array.from({ length: 8 }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const said = `${client}-${n}`
      const answer = await call(client % 2 === 0 ? 'a' : 'b', 'echo', { text: said })
      if (answer !== said) wrong.push(answer)
      made++
    }
  })
  for (let change = 1; change <= changes; change++) {
    // Each change restarts both servers.
    write({ a: { ...odd(), env: { ROUND: `${change}` } }, b: { ...odd(), timeoutSeconds: change } })
    await until(() => stderr().split('Configuration reloaded').length > change)
  }
  isOver = true
  await Promise.all(load)
  expect(wrong).toEqual([])
  expect(made).toBeGreaterThan(changes)
}, 240_000)
