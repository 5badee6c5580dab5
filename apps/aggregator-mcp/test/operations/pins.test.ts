import { createMemoryPinStore, type PinnedServer } from '@pith-mcp/aggregator'
import { expect, test } from 'vitest'
import { sourceOfUnit } from '../../../../packages/aggregator/src/catalog/trust/current-pins.ts'
import type { OperationContext, StateContext } from '../../src/operations/context.ts'
import { changesOf } from '../../src/operations/definition-changes.ts'
import { approvePins, pinOperations } from '../../src/operations/pins.ts'

const isNew = 'new server, not reviewed yet'
const isChanged = 'changed since it was pinned'
const finding = 'asks to disregard instructions'

type Definition = Record<string, unknown>

const waitingAs = (hash: string, reasons: string[], definition: Definition = {}) => ({
  hash,
  reasons,
  seenAt: 0,
  definition,
})
const pinAs = (hash: string, definition: Definition = {}, isApproved = true) => ({
  hash,
  definition,
  pinnedAt: 0,
  isApproved,
})
const named = (name: string, annotations?: object): Definition => ({ name, annotations })

type Content = Partial<Pick<PinnedServer, 'pins' | 'waiting'>>

/** A store with these pins, and operations on it. */
function worldOf(content: Record<string, Content>, rules: Record<string, object> = {}) {
  const pins = createMemoryPinStore()
  for (const [unit, { pins: pinned, waiting }] of Object.entries(content))
    pins.change(
      unit,
      sourceOfUnit({ name: unit, type: 'http', url: 'https://x' } as never),
      (server) => {
        Object.assign(server.pins, pinned)
        Object.assign(server.waiting, waiting)
      },
    )
  const units = new Map(
    Object.keys(content).map((name) => [
      name,
      { name, type: 'http', url: 'https://x', rules: rules[name] },
    ]),
  )
  const context = { state: { pins }, aggregator: { gateway: { fleet: { units } } }, changed() {} }
  const run = (path: string, input: object) => {
    const operation = pinOperations.find((each) => each.path === path)
    const answer = operation?.run(input, context as never as OperationContext, {} as never)
    return operation?.answer?.parse(answer) as never
  }
  type Listed = { server: string; waitCount: number; waiting: Definition[]; omitted: number }
  return {
    pins,
    list: () => (run('/pins', {}) as { servers: Listed[] }).servers,
    definition: (input: object) => run('/pins/definition', input) as Definition,
    approve: (input: Parameters<typeof approvePins.run>[0]) => {
      const { approved, changed } = approvePins.run(
        input,
        context as never as StateContext,
        {} as never,
      ) as { approved: { server: string; tool: string }[]; changed: string[] }
      return { approved: approved.map(({ server, tool }) => `${server}.${tool}`), changed }
    },
  }
}

test('the list says why each tool waits and what it declares, without its definition', () => {
  const { list } = worldOf({
    a: {
      pins: { edit: pinAs('0', named('edit')) },
      waiting: {
        edit: waitingAs('1', [isChanged], named('edit', { destructiveHint: false })),
        odd: waitingAs('2', [finding, isNew], named('odd', { readOnlyHint: true })),
        both: waitingAs('3', [isNew], named('both', { readOnlyHint: true, destructiveHint: true })),
        'ui://app#content': waitingAs('4', [isNew], named('ui://app#content')),
      },
    },
  })
  const [{ waiting = [], waitCount } = {}] = list()
  expect(waitCount).toBe(4)
  expect(waiting[0]).toEqual({
    tool: 'edit',
    hash: '1',
    pinnedHash: '0',
    reasons: [isChanged],
    seenAt: '1970-01-01T00:00:00.000Z',
    isChanged: true,
    hasFindings: false,
    declared: ['destructiveHint'],
    isReadOnly: false,
    isDestructive: false,
    isOpenWorld: true,
    isPinnedElsewhere: false,
    isExcluded: false,
  })
  expect(waiting[1]).toMatchObject({ hasFindings: true, isReadOnly: true, isDestructive: false })
  expect(waiting[2]).toMatchObject({ isReadOnly: false, isDestructive: true })
  expect(waiting[3]).not.toHaveProperty('declared')
  expect(waiting[3]).toMatchObject({ isDestructive: false, isOpenWorld: false })
})

test('a tool without annotations has the defaults of MCP, and declares nothing', () => {
  const { list } = worldOf({ a: { waiting: { x: waitingAs('1', [isNew], named('x')) } } })
  const plain = { declared: [], isReadOnly: false, isDestructive: true, isOpenWorld: true }
  expect(list()[0]?.waiting[0]).toMatchObject(plain)
})

test('what another account has pinned is marked; an unreviewed pin excuses no finding', () => {
  const { list, approve } = worldOf({
    'mail@home': {
      pins: { read: pinAs('1'), odd: pinAs('2', {}, false), old: pinAs('0'), good: pinAs('4') },
    },
    'mail@work': {
      waiting: {
        read: waitingAs('1', [isNew]),
        odd: waitingAs('2', [finding]),
        old: waitingAs('3', [isNew]),
        good: waitingAs('4', [finding]),
      },
    },
    mailbox: { waiting: { read: waitingAs('1', [isNew]) } },
  })
  const marked = list().flatMap(({ server, waiting }) =>
    waiting.filter((tool) => tool['isPinnedElsewhere']).map(({ tool }) => `${server}.${tool}`),
  )
  expect(marked).toEqual(['mail@work.read', 'mail@work.good'])
  expect(approve({ pinnedElsewhere: true }).approved).toEqual(marked)
})

test('what the rules of its server exclude is marked, and does not count', () => {
  const waiting = {
    read: waitingAs('1', [isNew], named('read')),
    drop: waitingAs('2', [isNew], named('drop')),
    'skill://x': waitingAs('3', [isNew], named('x')),
  }
  const [{ waitCount, waiting: tools = [] } = {}] = worldOf(
    { a: { waiting } },
    { a: { allow: ['read'] } },
  ).list()
  expect(tools.map(({ isExcluded }) => isExcluded)).toEqual([false, true, false])
  expect(waitCount).toBe(2)
})

test('the lists are bounded, and say how many they omit', () => {
  const tools = Array.from({ length: 10_000 }, (_, at) => [
    `${'long_name_'.repeat(15)}${at}`,
    waitingAs('f'.repeat(64), [isNew]),
  ])
  const [first, second] = worldOf({
    a: { waiting: Object.fromEntries(tools) },
    b: { waiting: { x: waitingAs('1', [isNew]) } },
  }).list()
  expect(first?.waitCount).toBe(10_000)
  expect(first?.omitted).toBe(10_000 - (first?.waiting.length ?? 0))
  expect(first?.omitted).toBeGreaterThan(1_000)
  expect(second).toMatchObject({ waiting: [], omitted: 1 })
  expect(JSON.stringify(first).length).toBeLessThan(2_600_000)
  const short = Array.from({ length: 20_000 }, (_, at) => [
    String(at),
    waitingAs('f'.repeat(64), [isNew]),
  ])
  const [all] = worldOf({ a: { waiting: Object.fromEntries(short) } }).list()
  expect(all?.waiting.length).toBeLessThanOrEqual(10_000)
})

test('approves across servers exactly the hashes of the items', () => {
  const both = { x: waitingAs('1', [isNew]), y: waitingAs('2', [isNew]) }
  const { approve, pins } = worldOf({
    a: { waiting: { ...both } },
    'b@home': { waiting: { ...both } },
    'b@work': { waiting: { ...both } },
  })
  const tools = [
    { server: 'a', tool: 'x', hash: '1' },
    { server: 'a', tool: 'y', hash: 'other' },
    { server: 'b', tool: 'x', hash: '1' },
    { server: 'b@work', tool: 'y', hash: '2' },
    { server: 'gone', tool: 'y', hash: '2' },
  ]
  const { approved, changed } = approve({ tools })
  expect(approved).toEqual(['a.x', 'b@home.x', 'b@work.x', 'b@work.y'])
  expect(changed).toEqual(['y', 'y'])
  expect(pins.all().map(({ waiting }) => Object.keys(waiting))).toEqual([['y'], ['y'], []])
  expect(approve({ server: 'b', tools: [{ tool: 'y', hash: '2' }] }).approved).toEqual(['b@home.y'])
  expect(() => approve({ server: 'gone' })).toThrow('There is no pin of a server "gone"')
})

test('only what is held for being new is approved as read-only', () => {
  const reader = named('x', { readOnlyHint: true })
  const { approve } = worldOf({
    a: {
      waiting: {
        x: waitingAs('1', [isNew], reader),
        odd: waitingAs('2', [isNew, finding], { ...reader, name: 'odd' }),
        edited: waitingAs('3', [isChanged], { ...reader, name: 'edited' }),
        y: waitingAs('4', [isNew], named('y')),
      },
    },
  })
  expect(approve({ readOnly: true }).approved).toEqual(['a.x'])
  expect(approve({}).approved).toEqual(['a.odd', 'a.edited', 'a.y'])
})

test('the journal has the command that does the same', () => {
  const tools = ['b', 'a', 'b'].map((server) => ({ server, tool: 'x', hash: '1' }))
  expect(approvePins.audit?.({})).toBe('pin approve --all')
  expect(approvePins.audit?.({ tools })).toBe('pin approve b a')
  expect(approvePins.audit?.({ readOnly: true })).toBe('pin approve --read-only')
  expect(approvePins.audit?.({ server: 'a', pinnedElsewhere: true })).toBe(
    'pin approve a --pinned-elsewhere',
  )
})

test('a definition comes with what changed, and without a diff if it is new', () => {
  const before = { name: 'x', description: 'Reads' }
  const after = { name: 'x', description: 'Writes' }
  const { definition } = worldOf({
    a: {
      pins: { x: pinAs('0', before) },
      waiting: { x: waitingAs('1', [isChanged], after), y: waitingAs('2', [isNew], named('y')) },
    },
  })
  const diff = ['- description: Reads', '+ description: Writes']
  expect(definition({ server: 'a', tool: 'x', hash: '1' })).toEqual({
    sentences: [],
    changes: [{ part: 'description', kind: 'changed', lines: diff }],
    diff,
    definition: after,
  })
  expect(definition({ server: 'a', tool: 'y', hash: '2' })).toMatchObject({ changes: [], diff: [] })
  expect(() => definition({ server: 'a', tool: 'x', hash: '9' })).toThrow('There is no tool "x"')
})

test('a long diff and a long definition are cut, and the diff says so', () => {
  const words = Array.from({ length: 60_000 }, (_, at) => `word ${at}`)
  const { definition } = worldOf({
    a: {
      pins: { x: pinAs('0', named('x')) },
      waiting: { x: waitingAs('1', [isChanged], { ...named('x'), title: words }) },
    },
  })
  const answer = definition({ server: 'a', tool: 'x', hash: '1' })
  expect((answer['diff'] as string[]).at(-1)).toBe('  … 59600 more lines')
  expect(answer).not.toHaveProperty('definition')
})

test('changes are grouped by description, parameter and annotation', () => {
  const before = {
    description: 'Reads',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, page: { type: 'number' } },
    },
    annotations: { readOnlyHint: true },
  }
  const after = {
    description: 'Reads',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'number' }, to: { type: 'string' } },
      required: ['to'],
    },
    annotations: { readOnlyHint: false, title: 'Sends' },
  }
  expect(changesOf(before, after)).toEqual([
    { part: 'inputSchema', kind: 'changed', lines: ['+ inputSchema.required.0: to'] },
    { part: 'parameter id', kind: 'changed', lines: ['- id.type: string', '+ id.type: number'] },
    { part: 'parameter page', kind: 'removed', lines: ['- page.type: number'] },
    {
      part: 'annotation readOnlyHint',
      kind: 'changed',
      lines: ['- readOnlyHint: true', '+ readOnlyHint: false'],
    },
    { part: 'parameter to', kind: 'added', lines: ['+ to.type: string'] },
    { part: 'annotation title', kind: 'added', lines: ['+ title: Sends'] },
  ])
  expect(changesOf(before, before)).toEqual([])
})
