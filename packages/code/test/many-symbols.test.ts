import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSourceFile } from '../src/outline/source-file.ts'
import { nameSymbols } from '../src/parse/symbol-table.ts'
import { filterInTurns, perTurn } from '../src/text/in-turns.ts'
import { type CodeFolder, codeFolder } from './code-folder.ts'
import { readSource } from './languages/read-source.ts'

/** Each of the files takes seconds. */
const isLong = process.env['LONG'] === '1'
const count = isLong ? 90_000 : 15_000
const lines = (length: number, line: (at: number) => string): string =>
  Array.from({ length }, (_, at) => line(at)).join('')
const distinct = (length: number): string => lines(length, (at) => `function target_${at}(){}\n`)

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder({
    'same.js': 'function target(){}\n'.repeat(count),
    'distinct.js': distinct(count),
    'nested.js': `class Big {\n${lines(count, (at) => `  target_${at}(){}\n`)}}\n`,
  })
  // From the sources, files are parsed in this thread: before anything is measured.
  for (const file of files) await it.code.functionChunk(file, 'line 7')
})
afterAll(() => it.remove())

const files = isLong ? ['same.js', 'distinct.js', 'nested.js'] : ['distinct.js']

/**
 * Processor time of the longest turn of the event loop in which something is answered, in ms: for
 * so long nothing else is.
 */
async function maxTurnMs(answer: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.cpuUsage()
  let isOver = false
  const look = (): void => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await answer()
  look()
  isOver = true
  return longest
}

describe.each(files)('of the many symbols of %s not all are handled in one turn', (file) => {
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'an outline': () => it.code.outline(file),
    'the members of a class': () => it.code.outline(file, 'Big/'),
    'an outline by words': () => it.code.outline(file, 'target 777'),
    'a name in the middle': () => it.code.functionChunk(file, 'TARGET_9000').catch(() => {}),
    'a name that is not there': () => it.code.functionChunk(file, 'tagret_x').catch(() => {}),
    'a search': () => it.code.findFunctions('target', { path: file }),
  }
  test.each(Object.keys(calls))('for %s', async (name) => {
    const call = calls[name] as () => Promise<unknown>
    // The code is compiled by the first call.
    await call()
    // It was up to 900 ms, and is some 50 ms; other threads that collect garbage are counted.
    expect(await maxTurnMs(call)).toBeLessThan(250)
  })
})

test('a copy of the symbols for another thread is a few values, however many they are', async () => {
  const { symbols } = await readSource('a.js', 'class A { b() {} }\nfunction c() {}\nclass A {}\n')
  expect(symbols.map(({ path, bare, name, kind }) => [path, bare, name, kind])).toEqual([
    ['A[0]', 'A', 'A', 'class'],
    ['A/b', 'A/b', 'b', 'method'],
    ['c', 'c', 'c', 'function'],
    ['A[1]', 'A', 'A', 'class'],
  ])
  const definition = { kind: 'function', start: 0, own: 0, body: 0, end: 9, parent: -1 } as const
  const many = Array.from({ length: 3 * perTurn }, (_, at) => ({ ...definition, name: `f${at}` }))
  const table = nameSymbols(many, 'function f')
  expect(Object.values(table).flat()).toHaveLength(3)
  let turns = 0
  let isOver = false
  const look = (): void => {
    turns++
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const file = await createSourceFile('a.js', 'function f', { symbols: table })
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(2)
  expect(file.symbols.at(-1)).toMatchObject({ path: `f${3 * perTurn - 1}`, end: 9 })
})

test('all items are tried, in their order', async () => {
  const items = Array.from({ length: 2 * perTurn + 1 }, (_, at) => at)
  expect(await filterInTurns(items, (item) => item % 2 === 0)).toEqual(
    items.filter((item) => item % 2 === 0),
  )
})

test('of too many symbols those with the most words are ranked, and the others are counted', async () => {
  const { entries, unranked } = await it.code.outline('distinct.js', 'target 14999')
  expect(entries[0]?.path).toBe('target_14999')
  expect(entries.length + (unranked ?? 0)).toBe(count)
  const few = await it.code.outline('distinct.js', 'target_7/')
  expect(few.unranked).toBeGreaterThan(0)
  const { hits, total } = await it.code.findFunctions('target 14999', { path: 'distinct.js' })
  expect(hits[0]?.path).toBe('target_14999')
  expect(total).toBe(count)
})

test.runIf(isLong)('twice the symbols take twice the time', async () => {
  const twice = await codeFolder({ 'one.js': distinct(45_000), 'two.js': distinct(90_000) })
  const costs = async (file: string): Promise<number> => {
    for (const _ of [1, 2]) await twice.code.outline(file)
    const begun = process.cpuUsage()
    for (const _ of [1, 2, 3, 4, 5]) await twice.code.outline(file, 'target 777')
    return process.cpuUsage(begun).user
  }
  const one = await costs('one.js')
  expect((await costs('two.js')) / one).toBeLessThan(2.6)
  await twice.remove()
})
