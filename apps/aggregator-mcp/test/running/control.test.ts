import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { configure, odd, startAggregator, startOverHttp } from './aggregator-process.ts'

const run = ([main = '', ...flags]: readonly string[], ...words: string[]) =>
  spawnSync(process.execPath, [main, ...words, ...flags], { encoding: 'utf8' })

test('servers of an aggregator over HTTP are controlled on the command line', async () => {
  const profile = { profiles: { p: { deny: ['a.pid'] } }, profile: 'p' }
  const { args, remove } = configure({ a: odd() }, profile)
  const { stop } = await startOverHttp(args)
  await expect.poll(() => run(args, 'status').stdout).toContain('a: ')
  expect(run(args, 'restart', 'a').stdout).toMatch(/^a in process \d+: ready\.\n$/)
  expect(run(args, 'stop', 'a').stdout).toMatch(/: halted\.\n$/)
  expect(run(args, 'status').stdout).toContain('a: halted, ')
  // What only the process knows, and its default profile.
  expect(run(args, 'explain', 'a', 'echo').stdout).toContain('The server a was stopped.')
  expect(run(args, 'explain', 'a', 'pid').stdout).toContain('aggregator.profiles.p.deny')
  expect(run(args, 'start', 'a').stdout).toMatch(/: ready\.\n$/)
  const unknown = run(args, 'restart', 'b')
  expect(unknown.stderr).toContain('No running aggregator has the server b')
  expect(unknown.status).toBe(2)
  await stop()
  remove()
}, 60_000)

test('those of an aggregator over stdio are not, and it says so', async () => {
  const { args, remove } = configure({ a: odd() })
  const aggregator = await startAggregator(args)
  await expect.poll(() => run(args, 'status').stdout).toContain('a: ')
  const refused = run(args, 'restart', 'a')
  expect(refused.stderr).toMatch(
    /a in process \d+: It serves one client over stdio and cannot be reached/,
  )
  expect(refused.status).toBe(1)
  await aggregator.stop()
  remove()
}, 60_000)
