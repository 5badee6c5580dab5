import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../base/test/temporary-folder.ts'
import { createFileJournal } from '../../../../journal/src/file-journal.ts'
import type { JournalLine } from '../../../../journal/src/journal.ts'
import { readJournal } from '../../../../journal/src/read-journal.ts'
import { usageOf } from '../../../../journal/src/usage.ts'
import { configOf, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
})

const lineAt = (time: string, more: Partial<JournalLine> = {}): JournalLine => ({
  time,
  kind: 'call',
  module: 'a',
  tool: 'x',
  outcome: 'ok',
  ...more,
})

async function linesIn(since?: string): Promise<JournalLine[]> {
  const lines: JournalLine[] = []
  for await (const line of readJournal(folder, since)) lines.push(line)
  return lines
}

describe('a line', () => {
  test('says who called what, how large it was, how long it took and how it ended', async () => {
    const { use, lines } = openAggregator(
      { a: { tools: [{ name: 'x', run: () => text('y'.repeat(60_000)) }] } },
      { servers: [configOf('a')] },
    )
    const args = { secret: 'do not write this down' }
    await use(
      'call',
      { module: 'a', tool_name: 'x', params: args },
      { caller: 'ci', profile: undefined },
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      kind: 'call',
      caller: 'ci',
      module: 'a',
      tool: 'x',
      via: 'call',
      request: expect.stringMatching(/^[0-9a-f]{16}$/),
      argsHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      argsBytes: JSON.stringify(args).length,
      outcome: 'ok',
    })
    const { resultBytes = 0, resultTokens = 0, sentTokens = 0, ms = -1 } = lines[0] ?? {}
    expect(resultBytes).toBeGreaterThan(60_000)
    expect(sentTokens).toBeGreaterThan(0)
    expect(sentTokens).toBeLessThan(resultTokens)
    expect(ms).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(lines)).not.toContain('write this down')
  })

  test('has the time that a call took, whatever the clock does meanwhile', async () => {
    const run = () => {
      vi.setSystemTime(Date.now() - 86_400_000)
      return text('y')
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { use, lines } = openAggregator(
        { a: { tools: [{ name: 'x', run }] } },
        { servers: [configOf('a')] },
      )
      await use('call', { module: 'a', tool_name: 'x', params: {} })
      expect(lines[0]?.ms).toBeGreaterThanOrEqual(0)
      expect(lines[0]?.ms).toBeLessThan(10_000)
    } finally {
      vi.useRealTimers()
    }
  })

  test('stands for each call of a batch, and for the batch', async () => {
    const { use, lines } = openAggregator(
      { a: { tools: [{ name: 'x', run: () => text('y') }] } },
      { servers: [configOf('a')] },
    )
    const call = { module: 'a', tool_name: 'x', params: {}, output: true }
    await use('batch', { commands: `${JSON.stringify(call)}\n${JSON.stringify(call)}` })
    expect(lines.map(({ kind, module, via, tool }) => ({ kind, module, via, tool }))).toEqual([
      { kind: 'call', module: 'a', via: 'batch', tool: 'x' },
      { kind: 'call', module: 'a', via: 'batch', tool: 'x' },
      { kind: 'meta', module: undefined, via: undefined, tool: 'batch' },
    ])
    expect(lines[2]?.sentTokens).toBeGreaterThan(0)
  })

  test.each([
    ['the tool fails', () => ({ ...text('no'), isError: true }), 'x', 'tool_error'],
    [
      'the server answers with an error',
      () => {
        throw Object.assign(new Error('no'), { code: -32001 })
      },
      'x',
      'rpc_-32001',
    ],
    ['there is no such tool', () => text(''), 'nothing', 'unknown_tool'],
  ])('says it when %s', async (_what, run, tool_name, outcome) => {
    const { use, lines } = openAggregator(
      { a: { tools: [{ name: 'x', run }] } },
      { servers: [configOf('a')] },
    )
    await use('call', { module: 'a', tool_name, params: {} }).catch(() => {})
    expect(lines).toMatchObject([{ outcome }])
  })
})

describe('the files', () => {
  const open = (settings = {}) => createFileJournal({ folder, onLog() {}, ...settings })

  test('are read back, from a time on', async () => {
    let time = ''
    const journal = open({ now: () => new Date(time) })
    for (time of [
      '2026-11-20T10:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ])
      await journal.write(lineAt(time))
    // Begun before midnight, and a clock that was put back: no new file.
    time = '2026-11-20T23:59:00.000Z'
    await journal.write(lineAt(time))
    journal.close()
    expect(await linesIn()).toHaveLength(4)
    expect(await linesIn('2026-11-21T11:00:00.000Z')).toHaveLength(1)
    expect(linesFiles().map((name) => name.slice(0, 10))).toEqual(['2026-11-20', '2026-11-21'])
  })

  test('are only for their owner', async () => {
    const journal = open()
    await journal.write(lineAt('2026-11-21T10:00:00.000Z'))
    const [name = ''] = linesFiles()
    expect(() => chmodSync(join(folder, name), 0o600)).not.toThrow()
    journal.close()
  })

  test('end when they are long, and a new one begins', async () => {
    const journal = open()
    const said = 'x'.repeat(300_000)
    for (let line = 0; line < 40; line++)
      await journal.write(lineAt('2026-11-21T10:00:00.000Z', { message: said }))
    journal.close()
    expect(linesFiles()).toHaveLength(2)
  })

  const writeAt = async (time: string, settings = {}) => {
    const journal = open({ now: () => new Date(time), ...settings })
    await journal.write(lineAt(time))
    journal.close()
  }
  const plant = (name: string) =>
    writeFileSync(join(folder, name), `${JSON.stringify(lineAt('2026'))}\n`)

  test('that are too much go, the oldest first', async () => {
    const said = 'x'.repeat(300_000)
    for (const day of ['18', '19', '20'])
      writeFileSync(
        join(folder, `2026-11-${day}.0123456789ab.1.jsonl`),
        `${JSON.stringify(lineAt(`2026-11-${day}`, { message: said }))}\n`,
      )
    await writeAt('2026-11-21T10:00:00.000Z', { maxMegabytes: 0.7 })
    expect(linesFiles().map((name) => name.slice(0, 10))).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ])
  })

  test('of a neighbour that lives stay, whatever its process is called', async () => {
    // As in two containers: both are process 1, and see nothing of each other.
    let day = 20
    const now = () => new Date(`2026-11-${day}T10:00:00.000Z`)
    const journals = [open({ maxMegabytes: 0.01, now }), open({ maxMegabytes: 0.01 })]
    for (; day < 25; day++)
      for (let line = 0; line < 50; line++)
        for (const [at, journal] of journals.entries())
          await journal.write(lineAt('2026-11-21T10:00:00.000Z', { module: `${at}` }))
    const modules = (await linesIn()).map(({ module }) => module)
    expect(modules.filter((module) => module === '1')).toHaveLength(250)
    for (const journal of journals) journal.close()
    expect(readdirSync(folder).filter((name) => name.endsWith('.heartbeat'))).toEqual([])
  })

  test('of a neighbour that was killed go once its heartbeat stood still for a minute', async () => {
    let ms = 0
    plant('2026-11-20.0123456789ab.1.jsonl')
    writeFileSync(join(folder, '0123456789ab.heartbeat'), '7'.padStart(16))
    const said = 'x'.repeat(3_000_000)
    const journal = open({ maxMegabytes: 0.001, monotonicMs: () => ms })
    const kept = () => linesFiles().includes('2026-11-20.0123456789ab.1.jsonl')
    // Each third line begins a file, and with it there is a look.
    const look = async () => {
      for (let line = 0; line < 3; line++)
        await journal.write(lineAt('2026-11-21T10:00:00.000Z', { message: said }))
    }
    await look()
    ms += 50_000
    await look()
    expect(kept()).toBe(true)
    ms += 20_000
    writeFileSync(join(folder, '0123456789ab.heartbeat'), '8'.padStart(16))
    await look()
    ms += 50_000
    await look()
    expect(kept()).toBe(true)
    ms += 11_000
    await look()
    expect(kept()).toBe(false)
    journal.close()
  })

  test('that were removed are created again, with their folder or without', async () => {
    const journal = open()
    for (const remove of [
      () => readdirSync(folder).map((name) => rmSync(join(folder, name))),
      () => rmSync(folder, { recursive: true }),
    ]) {
      await journal.write(lineAt('2026-11-21T10:00:00.000Z'))
      remove()
      await journal.write(lineAt('2026-11-21T10:10:00.000Z'))
      expect(await linesIn()).toHaveLength(1)
    }
    expect(journal.loss?.()).toBeUndefined()
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'no folder any more')
    expect(() => journal.close()).not.toThrow()
  })

  test('heartbeats of those that were killed go, also where they left no file', async () => {
    let ms = 0
    writeFileSync(join(folder, '0123456789ab.heartbeat'), '7'.padStart(16))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const journal = open({ monotonicMs: () => ms })
      await journal.write(lineAt('2026-11-21T10:00:00.000Z'))
      ms += 75_000
      vi.advanceTimersByTime(75_000)
      expect(readdirSync(folder)).not.toContain('0123456789ab.heartbeat')
      expect(readdirSync(folder).filter((name) => name.endsWith('.heartbeat'))).toHaveLength(1)
      journal.close()
    } finally {
      vi.useRealTimers()
    }
  })

  test('that a killed process left end with a whole line', async () => {
    const torn = join(folder, `2026-11-21.${deadPid}.1.jsonl`)
    writeFileSync(torn, `${JSON.stringify(lineAt('2026-11-21T10:00:00.000Z'))}\n`)
    appendFileSync(torn, '{"time":"2026-11-21T10:0')
    expect(await linesIn()).toHaveLength(1)
    const journal = open()
    await journal.write(lineAt('2026-11-21T11:00:00.000Z'))
    journal.close()
    expect(readFileSync(torn, 'utf8').endsWith('}\n')).toBe(true)
    expect(await linesIn()).toHaveLength(2)
  })

  test('that cannot be written are told of once, and nothing else stops', async () => {
    const logs: string[] = []
    writeFileSync(join(folder, 'file'), '')
    const journal = createFileJournal({
      folder: join(folder, 'file', 'below'),
      onLog: (line) => void logs.push(line),
    })
    for (let line = 0; line < 3; line++) await journal.write(lineAt('2026-11-21T10:00:00.000Z'))
    expect(logs).toHaveLength(1)
    expect(logs[0]).toContain('cannot be written')
    expect(journal.loss?.()).toMatchObject({ lines: 3, message: expect.stringMatching(/ENOTDIR/) })
    journal.close()
  })

  test('refuse the call they cannot record, before and after it, and let the next through', async () => {
    const blocked = join(folder, 'journal')
    const journal = createFileJournal({ folder: blocked, onLog() {}, failClosed: true })
    let runs = 0
    const tools = [{ name: 'x', run: () => text(`run ${++runs}`) }]
    const { use } = openAggregator({ a: { tools } }, { servers: [configOf('a')], journal })
    const call = () => use('call', { module: 'a', tool_name: 'x', params: {} })
    const block = () => {
      rmSync(blocked, { recursive: true, force: true })
      writeFileSync(blocked, '')
    }
    block()
    await expect(call()).rejects.toThrow(/ENOTDIR|EEXIST.*Nothing was done/s)
    expect(runs).toBe(0)
    expect(journal.loss?.()).toBeUndefined()
    rmSync(blocked)
    await call()
    block()
    await expect(call()).rejects.toThrow(/ENOTDIR|EEXIST.*result is withheld.*failClosed/s)
    await expect(use('search_tools', { query: 'x' })).rejects.toThrow(/Nothing was done/)
    await expect(call()).rejects.toThrow(/cannot be written: .* Nothing was done.*failClosed/)
    expect(runs).toBe(2)
    expect(journal.loss?.()).toMatchObject({ lines: 1 })
    rmSync(blocked)
    expect(JSON.stringify(await call())).toContain('run 3')
    journal.close()
    const lines: JournalLine[] = []
    for await (const line of readJournal(blocked)) lines.push(line)
    expect(lines.map(({ outcome, count }) => [outcome, count])).toEqual([
      ['journal_gap', 1],
      ['ok', undefined],
    ])
  })

  test('say how many lines they lack, once they can be written again', async () => {
    const blocked = join(folder, 'journal')
    writeFileSync(blocked, '')
    const logs: string[] = []
    const journal = createFileJournal({ folder: blocked, onLog: (line) => void logs.push(line) })
    for (let line = 0; line < 5; line++) await journal.write(lineAt('2026-11-21T10:00:00.000Z'))
    rmSync(blocked)
    await journal.write(lineAt('2026-11-21T10:01:00.000Z'))
    await journal.write(lineAt('2026-11-21T10:02:00.000Z'))
    journal.close()
    const lines: JournalLine[] = []
    for await (const line of readJournal(blocked)) lines.push(line)
    expect(lines.map(({ kind, outcome, count }) => [kind, outcome, count])).toEqual([
      ['event', 'journal_gap', 5],
      ['call', 'ok', undefined],
      ['call', 'ok', undefined],
    ])
    expect(logs.at(-1)).toMatch(/5 lines are missing/)
  })
})

const linesFiles = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()

describe('what a list saves', () => {
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const large = { type: 'object', description: 'word '.repeat(2_000) }
  const slow = (onStart: () => Promise<void>) => ({
    tools: [{ name: 'x', run: () => text('y'), definition: { inputSchema: large } }],
    onStart,
  })

  test('is counted at once as far as it is known, and the rest when it is', async () => {
    const { aggregator, lines } = openAggregator(
      { a: slow(() => wait(2_500)), b: slow(async () => {}) },
      { servers: [configOf('a'), configOf('b')], mode: 'meta' },
    )
    await aggregator.request({ method: 'tools/list' })
    await expect.poll(() => lines.length).toBe(2)
    const [first, second] = lines
    expect(first).toMatchObject({ message: 'not counted yet: a' })
    expect(first?.resultTokens).toBeGreaterThan(2_000)
    expect(second).toMatchObject({ sentTokens: 0 })
    expect(second?.resultTokens).toBeGreaterThan(2_000)
    expect(second).not.toHaveProperty('message')
    await aggregator.close()
  })

  test('is counted of the others beside a server that never answers', async () => {
    const { aggregator, lines } = openAggregator(
      { a: slow(() => new Promise(() => {})), b: slow(async () => {}) },
      { servers: [configOf('a'), configOf('b')], mode: 'meta' },
    )
    await aggregator.request({ method: 'tools/list' })
    await expect.poll(() => lines.length).toBe(1)
    await aggregator.close()
    expect(lines).toMatchObject([{ kind: 'list', outcome: 'ok', message: 'not counted yet: a' }])
    const { total } = await usageOf(lines, 'server')
    expect(total).toMatchObject({ calls: 0 })
    expect(total.tokensSaved).toBeGreaterThan(1_000)
  })

  test('is nothing, and no loss, where no server has answered', async () => {
    const { aggregator, lines } = openAggregator(
      { a: slow(() => new Promise(() => {})) },
      { servers: [configOf('a')], mode: 'meta' },
    )
    await aggregator.request({ method: 'tools/list' })
    await wait(50)
    await aggregator.close()
    const { total } = await usageOf(lines, 'server')
    expect(total).toMatchObject({ calls: 0, tokensSaved: 0 })
    expect(total.tokensOut).toBeGreaterThan(0)
  })
})

test('a call that a limit refuses is neither a failure, nor a loss, nor quick', async () => {
  const { use, lines } = openAggregator(
    { a: { tools: [{ name: 'x', run: () => text('y') }] } },
    { servers: [configOf('a')], limits: { server: { calls: 2, seconds: 600 } } },
  )
  for (let time = 0; time < 5; time++) await use('call', { module: 'a', tool_name: 'x' })
  const { total, groups } = await usageOf(lines, 'server')
  expect(total).toMatchObject({ calls: 2, errors: 0, refused: 3 })
  expect(groups.map(({ name, usage }) => [name, usage.refused])).toEqual([['a', 3]])
})

test('calls of a server are those of its tools, and outlast its being started anew', async () => {
  const { aggregator, use } = openAggregator(
    { a: { tools: [{ name: 'x', run: () => text('y') }] }, b: { tools: [{ name: 'z' }] } },
    { servers: [configOf('a'), configOf('b')] },
  )
  const { gateway } = aggregator
  const counts = () =>
    gateway.fleet.status().map(({ server, calls, starts }) => [server.name, calls, starts])
  for (let time = 0; time < 5; time++) await use('search_tools', { query: 'x' })
  expect(counts()).toEqual([
    ['a', 0, 1],
    ['b', 0, 1],
  ])
  for (let time = 0; time < 3; time++)
    await use('call', { module: 'a', tool_name: 'x', params: {} })
  gateway.fleet.control.restart('a')
  expect(counts()[0]).toEqual(['a', 3, 1])
  await use('call', { module: 'a', tool_name: 'x', params: {} })
  expect(counts()[0]).toEqual(['a', 4, 2])
  await aggregator.close()
})

/** No process has this number. */
const deadPid = 2 ** 22 - 3

test('usage is counted by what lines have in common', async () => {
  const lines: JournalLine[] = [
    lineAt('2026-11-20T10:00:00.000Z', {
      ms: 10,
      argsTokens: 5,
      resultTokens: 100,
      sentTokens: 20,
    }),
    lineAt('2026-11-21T10:00:00.000Z', {
      ms: 30,
      outcome: 'tool_error',
      account: 'work',
      sentTokens: 1,
    }),
    lineAt('2026-11-21T10:00:01.000Z', { module: 'b', ms: 1, caller: 'ci' }),
    {
      time: '2026-11-21T10:00:02.000Z',
      kind: 'list',
      resultTokens: 1_000,
      sentTokens: 100,
      outcome: 'ok',
    },
    { time: '2026-11-21T10:00:03.000Z', kind: 'event', outcome: 'tool_held' },
    { time: '2026-11-21T10:00:04.000Z', kind: 'admin', tool: 'reload', outcome: 'ok' },
  ]
  const { total, groups, from, to } = await usageOf(lines, 'server')
  expect({ from, to }).toEqual({ from: lines[0]?.time, to: lines[3]?.time })
  expect(total).toEqual({
    // A list is no call.
    calls: 3,
    errors: 1,
    refused: 0,
    p50: 10,
    p95: 30,
    tokensIn: 5,
    tokensOut: 121,
    tokensSaved: 979,
  })
  expect(groups.map(({ name, usage }) => [name, usage.calls])).toEqual([
    ['a', 2],
    ['b', 1],
    ['(lists)', 0],
  ])
  const names = async (by: Parameters<typeof usageOf>[1]) =>
    (await usageOf(lines, by)).groups.map(({ name }) => name).sort()
  expect(await names('tool')).toEqual(['(lists)', 'a.x', 'b.x'])
  expect(await names('account')).toEqual(['(lists)', 'a@-', 'a@work', 'b@-'])
  expect(await names('day')).toEqual(['2026-11-20', '2026-11-21'])
  expect(await names('caller')).toEqual(['-', 'ci'])
  expect(await names('outcome')).toEqual(['ok', 'tool_error'])
})
