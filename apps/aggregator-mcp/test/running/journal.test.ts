import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFileJournalReader } from '@pith-mcp/aggregator'
import { expect, test } from 'vitest'
import { configure, odd, startAggregator, until } from './aggregator-process.ts'

/** Each takes two seconds. */
const kills = process.env['LONG'] === '1' ? 5 : 2

test('every call that was answered is in the journal when its process is killed, and no line is torn', async () => {
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
  expect((await createFileJournalReader(journal).verify()).faults).toEqual([])
  const lines = texts.flatMap((text) => {
    expect(text.endsWith('\n')).toBe(true)
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { argsHash: string })
  })
  const kept = new Set(lines.map(({ argsHash }) => argsHash))
  expect(answered.length).toBeGreaterThan(100 * kills)
  expect(answered.filter((hash) => !kept.has(hash))).toEqual([])
  remove()
}, 120_000)

const hashOf = (args: object): string =>
  createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 16)
