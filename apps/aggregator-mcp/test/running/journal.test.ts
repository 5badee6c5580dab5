import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileJournalReader } from '@pith-mcp/aggregator'
import { expect, test } from 'vitest'
import { configure, odd, startAggregator, until } from './aggregator-process.ts'

/** Each takes two seconds. */
const kills = process.env['LONG'] === '1' ? 5 : 1

test('every call that was answered is in the journal when its process is killed', async () => {
  const { folder, args, remove } = configure({ a: odd() })
  const answered: string[] = []
  for (let round = 0; round < kills; round++) {
    const aggregator = await startAggregator(args)
    await aggregator.call('a', 'echo', { text: 'first' })
    let isOver = false
    const exited = once(aggregator.child, 'exit')
    const load = Array.from({ length: 32 }, async (_, client) => {
      for (let n = 0; !isOver; n++) {
        const text = `${round}-${client}-${n}-${'x'.repeat((n * 97) % 5_000)}`
        const given = { text }
        const said = await Promise.race([aggregator.call('a', 'echo', given), exited])
        if (said === text) answered.push(hashOf(given))
      }
    })
    await until(() => answered.length > (round + 1) * 120)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
    aggregator.child.kill('SIGKILL')
    isOver = true
    await Promise.all(load)
  }
  // Whoever comes next tidies up.
  const last = await startAggregator(args)
  await last.call('a', 'echo', { text: 'last' })
  await last.stop()
  const journal = join(folder, 'state', 'journal')
  const texts = readdirSync(journal)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(journal, name), 'utf8'))
  expect(texts).toHaveLength(kills + 1)
  // The kill may have torn the last lines that were written together: none of them was answered.
  const { faults } = await createFileJournalReader(journal).verify()
  const torn = /: the last line is unfinished$|: the lines? ha(s|ve) no chain value$/
  expect(faults.filter((fault) => !torn.test(fault))).toEqual([])
  const lines = texts.flatMap((text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { argsHash: string }),
  )
  const kept = new Set(lines.map(({ argsHash }) => argsHash))
  expect(answered.length).toBeGreaterThan(100 * kills)
  expect(answered.filter((hash) => !kept.has(hash))).toEqual([])
  remove()
}, 120_000)

test('it is read without a configuration, and where a configuration says that it is', async () => {
  const { folder, args, remove } = configure({ a: odd() })
  const [main = '', , config = ''] = args
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [main, ...words], { encoding: 'utf8', env })
  const called = run('call', 'a', 'echo', '{"text":"x"}', ...args.slice(1))
  expect(called.stderr).toBe('')
  const state = ['--state', join(folder, 'state')]
  for (const command of ['stats', 'journal', 'journal verify']) {
    const { stdout, stderr, status } = run(...command.split(' '), ...state)
    expect([command, stderr, status]).toEqual([command, '', 0])
    expect(stdout).toMatch(/^a .* 1 |a\.echo|^2 lines in 1 file, 0 faults\.$/m)
  }
  expect(run('stats', ...state, '--config', 'missing.json').stderr).toContain('There is no file')
  // The default configuration, which names another folder.
  mkdirSync(join(folder, '.config', 'pith'), { recursive: true })
  const elsewhere = { mcpServers: {}, aggregator: { journal: { folder: join(folder, 'other') } } }
  writeFileSync(join(folder, '.config', 'pith', 'aggregator.json'), JSON.stringify(elsewhere))
  expect(run('stats', ...state).stdout).toContain('No calls')
  expect(run('stats', ...state, '--config', config).stdout).toContain('total')
  remove()
})

test('with failClosed, not even the first call runs that cannot be recorded', () => {
  const journal = { folder: '/', failClosed: true }
  const { folder, config, args, remove } = configure({ a: odd() }, { journal })
  const { mcpServers, aggregator } = JSON.parse(readFileSync(config, 'utf8'))
  aggregator.journal.folder = join(config, 'below-a-file')
  writeFileSync(config, JSON.stringify({ mcpServers, aggregator }))
  const [main = '', ...flags] = args
  const call = () =>
    spawnSync(process.execPath, [main, 'call', 'a', 'echo', '{"text":"x"}', ...flags], {
      encoding: 'utf8',
    })
  const { stdout, stderr, status } = call()
  expect([stdout, status]).toEqual(['', 1])
  expect(stderr).toContain('Nothing was done.')
  aggregator.journal.folder = join(folder, 'journal')
  writeFileSync(config, JSON.stringify({ mcpServers, aggregator }))
  expect(call().status).toBe(0)
  remove()
})

const hashOf = (args: object): string =>
  createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 16)
