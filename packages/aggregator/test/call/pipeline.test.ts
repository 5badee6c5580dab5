import { expect, test, vi } from 'vitest'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const files: FakeServer = {
  tools: [
    {
      name: 'read',
      definition: {
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
        },
      },
      run: ({ path }) => text(`${path}: ${'token-1234 '.repeat(4_000)}`),
    },
  ],
}

async function openWarm(mode: 'meta' | 'list' | 'full') {
  const servers = [configOf('files', { env: { KEY: 'token-1234' } } as never)]
  const opened = openAggregator({ files }, { servers, mode })
  await opened.use(...callIn(mode))
  return opened
}

const callIn = (mode: 'meta' | 'list' | 'full'): [string, Record<string, unknown>] =>
  mode === 'meta'
    ? ['call', { module: 'files', tool_name: 'read', params: { path: '/a' } }]
    : ['files__read', { path: '/a' }]

test('the stages of a call run in their order', async () => {
  const { aggregator, lines, use, world } = await openWarm('meta')
  const { deps, gateway } = aggregator
  const order: string[] = []
  const note = (owner: object, method: string, stage: string): void => {
    const before = Reflect.get(owner, method) as (...args: unknown[]) => unknown
    const noted = (...args: unknown[]): unknown => {
      order.push(stage)
      return before.apply(owner, args)
    }
    Object.assign(owner, { [method]: noted })
  }
  note(gateway, 'viewFor', 'view')
  note(deps.listModes, 'listModeOf', 'rules')
  note(deps.limits, 'admission', 'limits')
  note(deps.limits, 'waitTurn', 'wait')
  note(gateway, 'instanceOf', 'relay')
  note(deps.recording.journal, 'write', 'record')
  const { results } = deps
  vi.spyOn(results, 'of').mockImplementation((owner) => {
    const own = { ...results, fit: results.fit }
    expect(owner).toBe('')
    note(own, 'fit', 'fit')
    return own
  })
  const requests = world.requests.length
  const reply = await use(...callIn('meta'))
  expect(order).toEqual(['view', 'rules', 'limits', 'wait', 'relay', 'fit', 'record'])
  expect(world.requests.length).toBe(requests + 1)
  expect(reply).toContain('[redacted]')
  expect(reply).not.toContain('token-1234')
  expect(reply).toMatch(/read_more/)
  expect(lines.at(-1)).toMatchObject({ kind: 'call', module: 'files', tool: 'read', outcome: 'ok' })
})

test('wrong params stop a call before it waits for a slot', async () => {
  const { aggregator, use, lines } = await openWarm('meta')
  const waitTurn = vi.spyOn(aggregator.deps.limits, 'waitTurn')
  expect(await use('call', { module: 'files', tool_name: 'read', params: {} })).toContain(
    'params.path is missing. Nothing was called.',
  )
  expect(waitTurn).not.toHaveBeenCalled()
  expect(lines.at(-1)).toMatchObject({ outcome: 'bad_argument' })
})

test.each(['meta', 'list', 'full'] as const)('the view is made once a call in %s', async (mode) => {
  const { aggregator, use } = await openWarm(mode)
  const viewFor = vi.spyOn(aggregator.gateway, 'viewFor')
  await use(...callIn(mode))
  expect(viewFor).toHaveBeenCalledTimes(1)
})
