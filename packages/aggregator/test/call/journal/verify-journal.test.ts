import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileJournal } from '../../../src/call/journal/file-journal.ts'
import { verifyJournal } from '../../../src/call/journal/verify-journal.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-verify-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const time = '2026-11-21T10:00:00.000Z'
const filesIn = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
const pathOf = (at: number) => join(folder, filesIn()[at] ?? '')
const linesOf = (at: number) => readFileSync(pathOf(at), 'utf8').trimEnd().split('\n')
const faults = async () => (await verifyJournal(folder)).faults

/** Two files on two days, each of two groups of three and one line. */
async function fill() {
  let day = 21
  const now = () => new Date(`2026-11-${day}T10:00:00.000Z`)
  const journal = createFileJournal({ folder, onLog() {}, now })
  const write = (tool: string) => journal.write({ time, kind: 'call', tool, outcome: 'ok' })
  for (; day < 23; day++) {
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

test('a missing file is found, one that is too old is not missed', async () => {
  await fill()
  const [first = '', second = ''] = filesIn()
  const third = second.replace('.2.jsonl', '.3.jsonl')
  writeFileSync(join(folder, third), readFileSync(join(folder, second)))
  rmSync(join(folder, second))
  expect(await faults()).toEqual([`${third}: files between ${first} and this one are missing`])
  rmSync(join(folder, first))
  expect(await faults()).toEqual([])
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
