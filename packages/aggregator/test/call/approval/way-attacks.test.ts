import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../servers/src/protocol/message.ts'
import { createSubscriptionStreams } from '../../../src/server/subscription-streams.ts'
import { configOf, createClient, textOf } from '../../fake-servers.ts'
import { ada, askWrite, createFiles, openAttacked, writing } from './attacked.ts'

const args = writing({ path: '/a' })
const extension = (name: string) => ({ extensions: { [`io.modelcontextprotocol/${name}`]: {} } })

describe('a tool that runs as a task', () => {
  const task = { taskId: 't1', status: 'working' }
  const inputRequests = { q: { method: 'elicitation/create', params: { message: 'Sure?' } } }
  const states = [
    { ...task, status: 'input_required', inputRequests },
    { ...task, status: 'completed', result: { content: [{ type: 'text', text: 'did it' }] } },
  ]
  const openWith = (era: 'legacy' | 'modern') => {
    const properties = { path: { type: 'string' } }
    const execution = { taskSupport: 'required' }
    const definition = { inputSchema: { properties, required: ['path'] }, execution }
    const run = () =>
      era === 'legacy' ? { task } : { ...task, 'io.github.pith-mcp/resultType': 'task' }
    const answer = ({ method }: Message) =>
      method === 'tasks/result'
        ? { content: [{ type: 'text', text: 'did it' }] }
        : method === 'tasks/get'
          ? (states[era === 'legacy' ? 1 : 0] ?? {})
          : {}
    const files = createFiles({ era, tools: [{ name: 'write', definition, run }], answer })
    const opened = openAttacked(askWrite, { files })
    const callsOf = (method: string) =>
      opened.world.requests.filter(({ message }) => message.method === method)
    return { ...opened, callsOf }
  }

  test('of 2025 is approved once, and gets no task of the client', async () => {
    const { write, approve, callsOf, clientOf } = openWith('legacy')
    const more = { task: { ttl: 1, hidden: 'x' } }
    expect(await write({ path: '/a' })).toContain('waits for approval')
    expect(callsOf('tools/call')).toEqual([])
    await approve()
    const access = { ...ada, mode: 'full' as const }
    const call = { name: 'files__write', arguments: { path: '/a' }, ...more }
    expect(textOf(await clientOf(access)('tools/call', call))).toBe('did it')
    expect(await write({ path: '/a' })).toContain('waits for approval')
    const sent = { name: 'write', arguments: { path: '/a' }, task: {} }
    expect(callsOf('tools/call').map(({ message }) => message.params)).toEqual([sent])
  })

  test('of 2026 is approved once; its questions need no approval, and are for its caller', async () => {
    const { write, approve, callsOf, aggregator, clientOf } = openWith('modern')
    await write({ path: '/a' })
    await approve()
    const capabilities = { ...extension('tasks'), elicitation: { form: {} } }
    const request = (method: string, params: object, access = ada) => {
      const client = createClient({ era: 'modern', capabilities })
      const received = { ...client.context(), meta: undefined, envelope: undefined }
      const message = { method, params: { ...params } }
      return aggregator.answer({ ...client.session, access }, message, received)
    }
    const made = await request('tools/call', { name: 'call', arguments: args })
    const { taskId } = made
    expect(taskId).toMatch(/./)
    const update = { taskId, inputResponses: { q: { action: 'accept' } } }
    await expect(request('tasks/update', update, { caller: 'bob' })).rejects.toThrow('no task')
    expect(callsOf('tasks/update')).toEqual([])
    await request('tasks/update', update)
    await request('tasks/update', update)
    await clientOf()('tools/call', { name: 'call', arguments: args })
    expect(callsOf('tools/call')).toHaveLength(1)
  })
})

test('an app calls nothing by the name at its server that is not approved', async () => {
  const ui = { resourceUri: 'ui://files/main.html' }
  const [write] = createFiles().tools ?? []
  const definition = { ...write?.definition, _meta: { ui } }
  const files = createFiles({ tools: [{ ...write, name: 'write', definition }] })
  const { modernClientOf, clientOf, arrivals, approve } = openAttacked(askWrite, { files })
  await clientOf()('prompts/list', {})
  const send = modernClientOf(ada, extension('ui'))
  expect(textOf(await send('write', { path: '/a' }))).toContain('waits for approval')
  expect(arrivals()).toEqual([])
  await approve()
  expect(textOf(await send('write', { path: '/b' }))).toContain('waits for approval')
  expect(textOf(await send('write', { path: '/a' }))).toMatch(/^did/)
  expect(arrivals()).toHaveLength(1)
})

describe('subscriptions', () => {
  const uri = 'file:///etc/passwd'
  const deny = [{ resources: ['file:///etc/*'] }]

  test.each([{ deny }, { ask: deny }])('of a stream are denied by %j', async (permissions) => {
    const { aggregator, arrivals } = openAttacked(permissions)
    const session = { ...createClient({ era: 'modern' }).session, access: ada }
    const streams = createSubscriptionStreams(session, aggregator.deps)
    const uris = [uri, 'files+file:///etc/../etc/passwd', 'file:///%65tc/passwd']
    const params = { notifications: { resourceSubscriptions: uris } }
    const opened = await streams.open({ id: 1, method: 'subscriptions/listen', params })
    expect(opened.params?.['notifications']).toEqual({ resourceSubscriptions: [] })
    expect(arrivals()).toEqual([])
  })
})

test('a call that waits for a slot is decided when it has one', async () => {
  let end = (): void => {}
  const [write, move] = createFiles().tools ?? []
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const slow = { ...move, name: 'move', run: () => held.then(() => ({ content: [] })) }
  const files = createFiles({ tools: [{ ...write, name: 'write' }, slow] })
  const servers = [configOf('files', { limits: { maxConcurrency: 1 } })]
  const {
    aggregator,
    write: call,
    approve,
    clientOf,
    arrivals,
  } = openAttacked(askWrite, { files, servers })
  await call({ path: '/a' })
  await approve()
  const first = clientOf()('tools/call', {
    name: 'call',
    arguments: { ...args, tool_name: 'move' },
  })
  await expect.poll(() => arrivals().length).toBe(1)
  const second = call({ path: '/a' })
  await expect.poll(() => aggregator.deps.limits.waitingAt('files')).toBe(1)
  aggregator.replace({ servers, permissions: { deny: [{ tools: ['files.write'] }] } })
  end()
  await first
  expect(await second).toContain('is denied by aggregator.permissions.deny[0]')
  expect(arrivals()).toHaveLength(1)
})
