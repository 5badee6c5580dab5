import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { chained } from '../src/chain.ts'
import { createFileJournal } from '../src/file-journal.ts'
import { verifyJournal } from '../src/verify-journal.ts'
import { addToRecord, readRecord, recordName } from '../src/writers-record.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

const time = '2026-11-21T10:00:00.000Z'
const filesIn = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
const pathOf = (at: number) => join(folder, filesIn()[at] ?? '')
const linesOf = (at: number) => readFileSync(pathOf(at), 'utf8').trimEnd().split('\n')
const faults = async () => (await verifyJournal(folder)).faults

/** A file for each day, of two groups of three and one line. */
async function fill(days = 2) {
  let day = 21
  const now = () => new Date(`2026-11-${day}T10:00:00.000Z`)
  const journal = createFileJournal({ folder, onLog() {}, now })
  const write = (tool: string) => journal.write({ time, kind: 'call', tool, outcome: 'ok' })
  for (; day < 21 + days; day++) {
    await Promise.all(['a', 'b', 'c'].map(write))
    await write('d')
  }
  journal.close()
}

test('lines of one tick are one group, and an untouched journal has no fault', async () => {
  await fill()
  expect(linesOf(0).map((line) => line.includes('"chain"'))).toEqual([false, false, true, true])
  const { faults, files, lines, unchained, chains } = await verifyJournal(folder)
  expect({ faults, files, lines, unchained }).toEqual({
    faults: [],
    files: 2,
    lines: 8,
    unchained: 0,
  })
  expect(Object.values(chains)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
})

test.each<[string, number, (lines: string[]) => void, RegExp]>([
  [
    'changed',
    0,
    (lines) => lines.splice(1, 1, (lines[1] ?? '').replace('"b"', '"x"')),
    /:1–3: a line/,
  ],
  ['removed', 0, (lines) => lines.splice(1, 1), /:1–2: a line was changed, added or removed/],
  ['added', 0, (lines) => lines.splice(1, 0, lines[1] ?? ''), /:1–4: a line/],
  ['removed with its group', 1, (lines) => lines.splice(0, 3), /: lines are missing before it/],
  [
    'removed at the end of a file',
    0,
    (lines) => lines.splice(3, 1),
    /2026-11-22.*: lines are missing/,
  ],
  ['swapped', 0, (lines) => lines.splice(0, 2, lines[1] ?? '', lines[0] ?? ''), /:1–3: a line/],
  ['without a chain', 1, (lines) => lines.push('{"time":"x"}'), /:5–5: the lines have no chain/],
])('a line that was %s is found', async (_name, file, change, fault) => {
  await fill()
  const lines = linesOf(file)
  change(lines)
  writeFileSync(pathOf(file), `${lines.join('\n')}\n`)
  expect((await faults()).join('\n')).toMatch(fault)
})

describe('what is missing is named:', () => {
  test.each([0, 1, 2])('the file of a day, whichever it is (%i)', async (at) => {
    await fill(3)
    const name = filesIn()[at] ?? ''
    const [day, writer] = name.split('.')
    rmSync(join(folder, name))
    expect(await faults()).toEqual([
      `${name}: the file is missing, with the lines of ${writer} on ${day}`,
    ])
  })

  test('all files of a writer', async () => {
    await fill()
    const names = filesIn()
    for (const name of names) rmSync(join(folder, name))
    await fill(1)
    expect((await faults()).map((fault) => fault.split(':')[0])).toEqual(names)
  })

  test.each(['ended', 'was killed'])('lines at the end, of a writer that %s', async (how) => {
    const journal = createFileJournal({ folder, onLog() {} })
    onTestFinished(() => journal.close())
    for (const tool of 'abc') await journal.write({ time, kind: 'call', tool, outcome: 'ok' })
    if (how === 'ended') journal.close()
    expect(await faults()).toEqual([])
    writeFileSync(pathOf(0), `${linesOf(0).slice(0, 2).join('\n')}\n`)
    expect(await faults()).toEqual([expect.stringMatching(/at its end are missing.* 3$/)])
  })

  test('the record of writers, and what was changed in it', async () => {
    await fill()
    const path = join(folder, recordName)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('-21.', '-20.'))
    expect((await faults()).join()).toContain(`${recordName}:1–1: a line was changed`)
    rmSync(path)
    expect(await faults()).toEqual([`${filesIn()[0]}: its writer is missing in ${recordName}`])
  })

  test('the last value of a writer that was killed', async () => {
    const journal = createFileJournal({ folder, onLog() {} })
    onTestFinished(() => journal.close())
    await journal.write({ time, kind: 'call', outcome: 'ok' })
    const beat = readdirSync(folder).find((name) => name.endsWith('.heartbeat')) ?? ''
    rmSync(join(folder, beat))
    expect(await faults()).toEqual([expect.stringContaining('its last value is missing')])
  })
})

test('a journal of an earlier version has no record, and stays whole', async () => {
  await fill()
  rmSync(join(folder, recordName))
  const [first = ''] = filesIn()
  const lines = linesOf(0)
  const legacy = lines.slice(0, 2)
  const [group] = chained([...legacy, `{"time":"${time}"}`].join('\n'), '', true)
  writeFileSync(join(folder, first), group)
  rmSync(pathOf(1))
  expect(await verifyJournal(folder)).toMatchObject({ faults: [], unrecorded: 1, lines: 3 })
})

test('the record is shortened, and still knows its removed days', async () => {
  const addDay = (at: number, replica: string): string => {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
    return `${day}.${replica}.1.jsonl`
  }
  for (let at = 0; at < 60; at++) {
    const name = addDay(at, `w${String(at).padStart(11, '0')}`)
    const value = { lines: 1, last: 'x'.repeat(8_000) }
    addToRecord(folder, [{ open: name }, { end: name.split('.')[1] ?? '', ...value }])
    addToRecord(folder, [{ removed: name, newest: '', today: `day ${at}`, ...value }])
  }
  addToRecord(folder, [{ open: '2026-11-21.0123456789ab.1.jsonl' }])
  expect(readFileSync(join(folder, recordName), 'utf8').length).toBeLessThan(400_000)
  expect(readRecord(folder)).toMatchObject({
    removedDays: 60,
    lastRemoved: { today: 'day 59' },
    faults: [],
    files: new Map([['2026-11-21.0123456789ab.1.jsonl', '2026-11-21']]),
  })
})

test('lines of earlier versions are counted, and a torn line is a fault', async () => {
  const name = '2026-11-20.0123456789ab.1.jsonl'
  writeFileSync(join(folder, name), '{"time":"2026"}\n{"time":"2026"}\n{"ti')
  expect(await verifyJournal(folder)).toMatchObject({
    lines: 2,
    unchained: 2,
    faults: [`${name}: the last line is unfinished`],
  })
})

test('lines that could not be written leave no gap in the chain', async () => {
  const blocked = join(folder, 'journal')
  writeFileSync(blocked, '')
  const journal = createFileJournal({ folder: blocked, onLog() {} })
  await journal.write({ time, kind: 'call', outcome: 'ok' })
  rmSync(blocked)
  await journal.write({ time, kind: 'call', outcome: 'ok' })
  journal.close()
  expect(await verifyJournal(blocked)).toMatchObject({ lines: 2, faults: [] })
})
