import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import type { JournalLine } from '../src/journal.ts'
import { createJournalTail } from '../src/journal-tail.ts'
import { createUsageOverTime } from '../src/usage-series.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

const now = Date.parse('2026-11-21T12:30:00.000Z')
const file = () => join(folder, '2026-11-21.1.1.jsonl')

const textOf = (time: string, more: Partial<JournalLine> = {}): string =>
  `${JSON.stringify({ time: `2026-11-21T${time}:00.000Z`, kind: 'call', module: 'a', tool: 'x', outcome: 'ok', ms: 5, ...more })}\n`

const open = (intervals = 3, by: 'server' | 'tool' = 'server') =>
  createUsageOverTime({
    tail: createJournalTail(folder),
    by,
    interval: 'hour',
    intervals,
    now: () => now,
  })

test('calls are counted in the interval they began in, and intervals without any are there', async () => {
  writeFileSync(file(), textOf('10:10') + textOf('12:10') + textOf('12:20', { outcome: 'timeout' }))
  const usage = open()
  await usage.refresh()
  const { times, series } = usage.series(5)
  expect(times).toEqual([
    '2026-11-21T10:00:00.000Z',
    '2026-11-21T11:00:00.000Z',
    '2026-11-21T12:00:00.000Z',
  ])
  expect(series.map(({ name, points }) => [name, points.map(({ calls }) => calls)])).toEqual([
    ['a', [1, 0, 2]],
  ])
  expect(series[0]?.points[2]).toMatchObject({ errors: 1, p50: 5 })
})

test('a second reading counts only what is new, and no line twice', async () => {
  writeFileSync(file(), textOf('12:10'))
  const usage = open()
  await usage.refresh()
  appendFileSync(file(), textOf('12:11') + textOf('12:12').slice(0, 20))
  await usage.refresh()
  expect(usage.report(5).total.calls).toBe(2)
  appendFileSync(file(), textOf('12:12').slice(20))
  await usage.refresh()
  expect(usage.report(5).total.calls).toBe(3)
})

test('what is older than asked for is not counted', async () => {
  writeFileSync(file(), textOf('08:10') + textOf('12:10'))
  const usage = open()
  await usage.refresh()
  expect(usage.report(5).total.calls).toBe(1)
})

test('those beyond the limit are counted together', async () => {
  const lines = ['x', 'x', 'x', 'y', 'y', 'z'].map((tool, at) =>
    textOf('12:10', { tool, ms: (at + 1) * 10 }),
  )
  writeFileSync(file(), lines.join(''))
  const usage = open(1, 'tool')
  await usage.refresh()
  const { series } = usage.series(1)
  expect(series.map(({ name, points }) => [name, points[0]?.calls])).toEqual([
    ['a.x', 3],
    ['others', 3],
  ])
  expect(series[1]?.points[0]).toMatchObject({ p50: 50, p95: 60 })
  expect(usage.report(1)).toMatchObject({ others: 2, total: { calls: 6 } })
})
