import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { dayAfter, expiredUntil } from '../src/expired-until.ts'
import { createFileJournal } from '../src/file-journal.ts'
import type { JournalLine } from '../src/journal.ts'
import { readJournal } from '../src/read-journal.ts'
import { verifyJournal } from '../src/verify-journal.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

const today = '2026-11-21'
const filesIn = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
const daysIn = () => [...new Set(filesIn().map((name) => name.slice(0, 10)))].sort()

async function linesIn(): Promise<JournalLine[]> {
  const lines: JournalLine[] = []
  for await (const line of readJournal(folder)) lines.push(line)
  return lines
}

/** Files of an earlier version, one for each of the days before today. */
function plant(days: readonly number[]) {
  for (const ago of days) {
    const line = { time: `${dayAfter(today, -ago)}T10:00:00.000Z`, kind: 'call', outcome: 'ok' }
    const name = `${dayAfter(today, -ago)}.w${String(ago).padStart(11, '0')}.1.jsonl`
    writeFileSync(join(folder, name), `${JSON.stringify(line)}\n`)
  }
}
const upTo = (days: number, every = 1) =>
  Array.from({ length: Math.floor(days / every) }, (_, at) => days - at * every)

/** One process that writes a line, when its clock shows a day. */
async function writeOn(day: string, settings = {}) {
  const time = `${day}T10:00:00.000Z`
  const journal = createFileJournal({ folder, onLog() {}, now: () => new Date(time), ...settings })
  await journal.write({ time, kind: 'call', outcome: 'ok' })
  journal.close()
}

/** How many of the days before the clock went wrong are gone. */
const lost = (before: readonly string[]) => before.filter((day) => !daysIn().includes(day)).length

describe('a clock that is wrong by a hundred days removes', () => {
  const histories = { 'few days': 3, 'a whole journal': 90, 'more than is kept': 200 }
  describe.each(Object.entries(histories))('%s:', (_, days) => {
    test.each([
      [100, 100, 100],
      [-100, -100, -100],
      [100, -100, 100],
      [-100, 100, 101],
      [100, 102, 0],
      [-100, -100, 0],
      [100, 200, 300],
    ])('no line in three looks (%i, %i, %i)', async (...offsets) => {
      plant(upTo(days))
      // A right clock may remove one of those that are older than 90 days.
      const isOld = (day: string) => days > 90 && offsets.includes(0) && day < dayAfter(today, -90)
      const before = daysIn()
      for (const offset of offsets) await writeOn(dayAfter(today, offset))
      expect(before.filter((day) => !daysIn().includes(day) && !isOld(day))).toEqual([])
      const calls = (await linesIn()).filter(({ kind }) => kind === 'call')
      expect(calls.length).toBeGreaterThanOrEqual(days + 3 - (days > 90 ? 1 : 0))
    })

    test.runIf(process.env['LONG'] || days < 100).each([100, -100, 20])(
      'one day at most in a week (%i days)',
      async (offset) => {
        plant(upTo(days))
        const before = daysIn()
        for (let day = 0; day < 8; day++)
          for (let look = 0; look < 3; look++) await writeOn(dayAfter(today, offset + day))
        expect(lost(before)).toBeLessThanOrEqual(1)
      },
    )
  })

  test('nothing that was written meanwhile, when it is right again', async () => {
    plant(upTo(90))
    for (let day = 0; day < 8; day++) await writeOn(dayAfter(today, day - 100))
    for (let day = 8; day < 30; day++) await writeOn(dayAfter(today, day))
    const days = (await linesIn()).filter(({ kind }) => kind === 'call')
    expect(days.filter(({ time }) => time < dayAfter(today, -92))).toHaveLength(8)
  })

  test('nothing for months, and days again when it is right', async () => {
    plant(upTo(90))
    for (let day = 0; day < 5; day++) await writeOn(dayAfter(today, day + 3_000))
    for (let day = 5; day < 25; day++) await writeOn(dayAfter(today, day))
    expect(daysIn()[0]).toBe(dayAfter(today, -71))
  })
})

describe('expired days go', () => {
  test('one for each day with lines, each with a line that says so', async () => {
    plant(upTo(100))
    const before = daysIn()
    for (let day = 0; day < 5; day++) {
      for (let look = 0; look < 3; look++) await writeOn(dayAfter(today, day))
      expect(lost(before)).toBe(day + 1)
    }
    const admin = (await linesIn()).filter(({ kind }) => kind === 'admin')
    expect(admin).toHaveLength(5)
    expect(admin[0]).toMatchObject({
      via: 'retention',
      tool: `remove ${before[0]}`,
      outcome: 'ok',
      count: 1,
      reason: 'retentionDays',
      message: expect.stringMatching(/^1 line of 2026-08-13, \d+ bytes: retentionDays$/),
    })
    const { faults, removed } = await verifyJournal(folder)
    expect({ faults, removed }).toEqual({
      faults: [],
      removed: { days: 5, last: dayAfter(today, 4) },
    })
  })

  test.each([
    ['on five days a week', (day: number) => day % 7 > 1, 91],
    ['every day but for three weeks', (day: number) => day < 30 || day > 51, 106],
    ['once a week', (day: number) => day % 7 === 0, 98],
    ['once a month', (day: number) => day % 30 === 0, 420],
  ])('also if the aggregator is used %s', (_, isUsed, expected) => {
    const days: string[] = []
    let kept = 0
    for (let day = 0; day < 2_000 && kept === 0; day++) {
      if (isUsed(day)) days.push(dayAfter(today, day))
      const look = { today: dayAfter(today, day), days, retentionDays: 90 }
      if (expiredUntil(look).expired !== undefined) kept = day
    }
    expect(kept - days.findIndex(() => true)).toBeLessThanOrEqual(expected + 2)
    expect(kept).toBeGreaterThan(90)
  })

  test('of which a pause of ten counts as seven', () => {
    const days = [0, 10, 11].map((day) => dayAfter(today, day))
    const expiredWith = (retentionDays: number) =>
      expiredUntil({ today: dayAfter(today, 11), days, retentionDays }).expired
    expect([expiredWith(7), expiredWith(8)]).toEqual([today, undefined])
  })

  test('that are too much, with a line that says so', async () => {
    plant([3, 2, 1])
    await writeOn(today, { maxMegabytes: 0.0001 })
    const admin = (await linesIn()).filter(({ kind }) => kind === 'admin')
    expect(admin.map(({ tool, reason }) => [tool, reason])).toEqual(
      [3, 2].map((ago) => [`remove ${dayAfter(today, -ago)}`, 'maxMegabytes']),
    )
    expect((await verifyJournal(folder)).faults).toEqual([])
  })

  test('of a process that runs on, by itself', async () => {
    plant(upTo(100))
    let day = today
    const journal = createFileJournal({ folder, onLog() {}, now: () => new Date(day) })
    for (let at = 0; at < 100; at++) {
      day = dayAfter(today, at)
      await journal.write({ time: `${day}T10:00:00.000Z`, kind: 'call', outcome: 'ok' })
    }
    journal.close()
    expect(daysIn()[0]).toBe(today)
    const { faults, removed } = await verifyJournal(folder)
    expect({ faults, days: removed?.days }).toEqual({ faults: [], days: 100 })
    expect(readFileSync(join(folder, 'writers.record'), 'utf8').length).toBeLessThan(60_000)
  })
})
