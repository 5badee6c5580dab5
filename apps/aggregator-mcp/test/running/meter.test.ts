import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claudeCode } from '../../../../packages/meter/test/transcript-world.ts'
import type { reportOf } from '../../src/meter/report.ts'
import { configure, odd, startAggregator } from './aggregator-process.ts'

type Report = ReturnType<typeof reportOf>

const { args, folder, remove } = configure({ a: odd() })
afterAll(remove)

const meter = (...flags: string[]): string => {
  const [main = '', ...own] = args
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, CLAUDE_CONFIG_DIR: '' }
  return execFileSync(process.execPath, [main, 'meter', ...own, ...flags], {
    env,
    encoding: 'utf8',
  })
}
const reportNow = () => JSON.parse(meter('--json', '--session')) as Report
const now = () => ({ timestamp: new Date().toISOString() })

/** A session of Claude Code that loads whole lists; what it calls is called. */
async function record(id: string, calls: readonly [tool: string, input: object][]) {
  const aggregator = await startAggregator(args, process.env, undefined, undefined, 'claude-code')
  const { result: listed } = await aggregator.request('tools/list')
  const lines = claudeCode(id)
  lines.prompt('Begin.', now())
  let input = 10_000
  for (const [at, [name, given]] of calls.entries()) {
    const call = lines.call(`${id}-${at}`, `mcp__pith__${name}`, given)
    lines.answer(`${id}-m${at}`, input, [call], now())
    const { result } = await aggregator.request('tools/call', { name, arguments: given })
    lines.result(`${id}-${at}`, result?.content, now())
    input += 3_000
  }
  lines.answer(`${id}-end`, input, [{ type: 'text', text: 'Done.' }], now())
  await aggregator.stop()
  const projects = join(folder, '.claude/projects/p')
  mkdirSync(projects, { recursive: true })
  writeFileSync(join(projects, `${id}.jsonl`), lines.text())
  return listed?.tools
}

test('what Pith added and saved in a session, and where it lost', async () => {
  const text = 'A long result. '.repeat(8_000)
  const tools = await record('used', [
    ['search_tools', { query: 'echo' }],
    ['call', { server: 'a', tool: 'echo', arguments: { text } }],
  ])
  expect(tools?.map(({ name }) => name)).toContain('search_tools')
  const { pith, servers, bySession, notes } = reportNow()
  expect(notes).toEqual([])
  expect(servers.map(({ server, via, calls }) => [server, via, calls]).sort()).toEqual([
    ['a', 'pith', 1],
    ['pith', undefined, 1],
  ])
  expect(pith).toMatchObject({ sessions: 1, lost: 0 })
  const { lists = 0, searches = 0, savedLists = 0, savedResults = 0, net } = pith ?? {}
  // Three requests had the list, two the search, and one the result.
  expect(lists % 3).toBe(0)
  expect(lists).toBeGreaterThan(1_000)
  expect(searches).toBeGreaterThan(10)
  expect(savedResults).toBeGreaterThan(20_000)
  expect(net).toBe(savedLists + savedResults - lists - searches)
  expect(bySession).toMatchObject([{ session: 'used', requests: 3, pith: { net } }])

  // One that never called it had its list all the same.
  await record('unused', [])
  const both = reportNow()
  expect(both.pith).toMatchObject({ sessions: 2, lost: 1 })
  expect(both.bySession?.find(({ session }) => session === 'unused')?.pith).toMatchObject({
    lists: lists / 3,
    net: savedLists / 3 - lists / 3,
  })
  const printed = meter()
  expect(printed).toContain('a (through pith)')
  expect(printed).toContain('it lost in 1 session: --session names them')
  expect(printed).not.toContain('unused')
  expect(meter('--session')).toMatch(/unused: 1 request, .*Pith lost/)
})

test('a server apart is not taken for Pith, although its tool and time are the same', async () => {
  const lines = claudeCode('apart')
  lines.prompt('Begin.', now())
  lines.answer('apart-1', 10_000, [lines.call('x1', 'mcp__other__echo', { text: 'x' })], now())
  await record('beside', [
    ['call', { server: 'a', tool: 'echo', arguments: { text: 'A. '.repeat(9_000) } }],
  ])
  lines.result('x1', 'x', now())
  lines.answer('apart-2', 10_020, [{ type: 'text', text: 'Done.' }], now())
  writeFileSync(join(folder, '.claude/projects/p/apart.jsonl'), lines.text())
  const { bySession = [] } = reportNow()
  const of = (id: string) => bySession.find(({ session }) => session === id)?.pith
  expect(of('apart')).toBeUndefined()
  expect(of('beside')?.savedResults).toBeGreaterThan(3_000)
})

test('without a journal it says that nothing is known of Pith, and counts the rest', () => {
  const report = JSON.parse(meter('--json', '--no-state')) as Report
  expect(report).toMatchObject({ hasJournal: false, notes: [] })
  expect(report.pith).toBeUndefined()
  expect(meter('--no-state')).toContain('There is no journal')
  expect(report.servers.find(({ server }) => server === 'a')).toMatchObject({
    via: 'pith',
    calls: 2,
  })
})

test('names a wrong period', () => {
  expect(() => meter('today')).toThrow('meter: it takes no words, got "today".')
  expect(() => meter('--since', 'spring')).toThrow('meter: --since must be a time such as 7d')
})
