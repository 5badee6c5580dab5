import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { configOf, type FakeServer, text } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const items = Array.from({ length: 500 }, (_, id) => ({
  id,
  name: id === 7 ? '${sum.value} and {"$result":"r000000000000"}' : `Item ${id}`,
}))
const inputSchema = {
  type: 'object',
  properties: { title: { type: 'string' }, ids: { type: 'array' }, filter: { type: 'object' } },
  required: ['title'],
}
const report = `# Report\n\n\`\`\`json\n{"name":"demo","version":"1.2.3"}\n\`\`\`\n${'The end. '.repeat(2_000)}`
const fakes: Record<string, FakeServer> = {
  store: {
    tools: [
      { name: 'list', run: () => text(JSON.stringify({ items })) },
      { name: 'huge', run: () => text(JSON.stringify({ text: 'x y '.repeat(300_000) })) },
      { name: 'log', run: () => text('A line of a log.\n'.repeat(2_000)) },
      { name: 'report', run: () => text(report) },
      {
        name: 'number',
        run: () => text(`{"id":12345678901234567890,"a":"${'x '.repeat(9_000)}"}`),
      },
      { name: 'write', definition: { inputSchema }, run: (args) => text(JSON.stringify(args)) },
    ],
  },
}
const { aggregator, use, world, lines } = openAggregator(fakes, {
  servers: [configOf('store')],
  mode: 'meta',
})
afterAll(() => aggregator.close())

const idOf = (reply: string): string => /"result":"(r[0-9a-f]{12})"/.exec(reply)?.[1] ?? ''
const call = (tool_name: string, params: JsonObject = {}): Promise<string> =>
  use('call', { module: 'store', tool_name, params })
const writes = (): unknown[] =>
  world.requests.flatMap(({ message: { params } }) =>
    (params as JsonObject)?.['name'] === 'write' ? [(params as JsonObject)['arguments']] : [],
  )

describe('a stored result as an argument', () => {
  test('is sent without its text in the call', async () => {
    const $result = idOf(await call('list'))
    const reply = await call('write', {
      title: { $result, path: '$.items[3].name' },
      ids: [{ $result, path: 'items[0].id' }, 5],
      filter: { all: { $result, path: '$.items[0]' } },
    })
    expect(JSON.parse(reply)).toEqual({
      title: 'Item 3',
      ids: [0, 5],
      filter: { all: { id: 0, name: 'Item 0' } },
    })
    expect(
      await use('call', {
        module: 'store',
        tool_name: 'write',
        params: JSON.stringify({ title: { $result, path: '$.items[1].name' } }),
      }),
    ).toContain('Item 1')
  })

  test('is the text, or the JSON, without a path', async () => {
    const $result = idOf(await call('log'))
    await call('write', { title: { $result } })
    expect(writes().at(-1)).toEqual({ title: 'A line of a log.\n'.repeat(2_000) })
    await call('write', { title: 'x', filter: { $result: idOf(await call('list')) } })
    expect(writes().at(-1)).toEqual({ title: 'x', filter: { items } })
  })

  test('is the whole text where JSON is only a part of it', async () => {
    const $result = idOf(await call('report'))
    await call('write', { title: { $result } })
    expect(writes().at(-1)).toEqual({ title: report })
    await call('write', { title: { $result, path: '$.content[0].text' } })
    expect(writes().at(-1)).toEqual({ title: report })
  })

  test('with a number that JSON cannot pass on sends nothing', async () => {
    const $result = idOf(await call('number'))
    expect(await call('write', { title: 'x', filter: { $result, path: '$.id' } })).toContain(
      'more than 15 digits',
    )
  })

  test('is checked against the schema as what it becomes', async () => {
    const $result = idOf(await call('list'))
    const before = writes().length
    expect(await call('write', { title: { $result, path: '$.items[0]' } })).toContain('not valid')
    expect(writes()).toHaveLength(before)
  })

  test('nothing in it is a handle or a reference', async () => {
    const $result = idOf(await call('list'))
    const commands = [
      { id: 'sum', module: 'store', tool_name: 'write', params: { title: 'a' } },
      {
        module: 'store',
        tool_name: 'write',
        params: { title: { $result, path: '$.items[7].name' }, ids: ['${sum.title}'] },
        output: true,
      },
    ]
    const reply = await use('batch', {
      commands: commands.map((line) => JSON.stringify(line)).join('\n'),
    })
    expect(reply).toContain('done')
    expect(writes().at(-1)).toEqual({ title: items[7]?.name, ids: ['a'] })
  })

  test.each([
    [{ $result: 'r000000000000' }, 'There is no result'],
    [{ $result: 5 }, 'A handle has a text'],
    [{ path: '$.none' }, 'it has no value'],
    [{ path: '$.items[*].id' }, 'it has 500 values'],
    [{ path: '$[' }, 'not a valid JSONPath'],
    [{ path: '$.items', other: 1 }, 'A handle has a text'],
  ])('%j sends nothing', async (handle, message) => {
    const $result = idOf(await call('list'))
    const before = writes().length
    const title = { $result, ...handle }
    expect(await call('write', { title })).toContain(message)
    const line = { module: 'store', tool_name: 'write', params: { title } }
    expect(await use('batch', { commands: JSON.stringify(line) })).toContain(message)
    expect(writes()).toHaveLength(before)
  })

  test('of more than a million characters sends nothing', async () => {
    const $result = idOf(await call('huge'))
    const before = writes().length
    expect(await call('write', { title: { $result } })).toContain(
      'add more than 1000000 characters',
    )
    expect(writes()).toHaveLength(before)
  })

  test('of another caller does not exist', async () => {
    const access = (owner: string) => ({ caller: owner })
    const reply = await use('call', { module: 'store', tool_name: 'list' }, access('a') as never)
    const params = { title: { $result: idOf(reply), path: '$.items[0].name' } }
    const write = { module: 'store', tool_name: 'write', params }
    expect(await use('call', write, access('b') as never)).toContain('There is no result')
    expect(await use('call', write, access('a') as never)).toContain('Item 0')
  })

  test('can be escaped; operators of databases are sent as they are', async () => {
    for (const [given, sent] of [
      [{ $literal: { $result: 'x' } }, { $result: 'x' }],
      [{ $literal: { $literal: { $result: 'x' } } }, { $literal: { $result: 'x' } }],
      [{ $literal: 1 }, { $literal: 1 }],
      [{ $match: { a: { $gt: 1 } } }, { $match: { a: { $gt: 1 } } }],
    ]) {
      await call('write', { title: 'x', filter: { given } })
      expect(writes().at(-1)).toEqual({ title: 'x', filter: { given: sent } })
    }
  })

  test('is in the journal as what was sent', async () => {
    const $result = idOf(await call('list'))
    await call('write', { title: { $result, path: '$.items[3].name' } })
    const stored = lines.at(-1)
    await call('write', { title: 'Item 3' })
    expect(stored).toMatchObject({ argsHash: (lines.at(-1) as { argsHash?: string }).argsHash })
  })
})
