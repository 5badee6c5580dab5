import { describe, expect, test } from 'vitest'
import type { PermissionSettings } from '../../../../servers/src/config/permission-settings.ts'
import type { Configured } from '../../../../servers/src/config/server-config.ts'
import type { JsonObject, Message } from '../../../../servers/src/protocol/message.ts'
import { configOf, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { ada, askWrite, createFiles, openAttacked, writing } from './attacked.ts'

const args = writing({ path: '/a' })
const yes: JsonObject = { action: 'accept', content: { approve: 'once' } }

describe('a form', () => {
  const refusals: Record<string, unknown> = {
    cancelled: { action: 'cancel' },
    declined: { action: 'decline', content: { approve: 'once' } },
    'answered with nothing': {},
    'answered with no action': { content: { approve: 'once' } },
    'accepted in capitals': { action: 'ACCEPT' },
    'accepted in a list': { action: ['accept'] },
    'accepted with a text': { action: 'accept', content: 'no' },
    'accepted with a list': { action: 'accept', content: ['once'] },
    'accepted with another choice': { action: 'accept', content: { approve: 'never' } },
    'accepted with a list of choices': { action: 'accept', content: { approve: ['kept'] } },
    'accepted with null': { action: 'accept', content: { approve: null } },
    'accepted with a member of objects': { action: 'accept', content: { approve: 'toString' } },
  }
  test.each(Object.entries(refusals))('%s is a refusal', async (_, answer) => {
    const { clientOf, modernClientOf, arrivals, approvals } = openAttacked(askWrite)
    const legacy = await clientOf(ada, () => answer as JsonObject)('tools/call', {
      name: 'call',
      arguments: args,
    })
    expect(textOf(legacy)).toMatch(/^files.write was refused by .* Nothing was called/)
    const send = modernClientOf()
    const { requestState } = await send('call', args)
    const retry = { requestState, inputResponses: { ask1: answer } } as never
    expect(textOf(await send('call', args, retry))).toMatch(/^files.write was refused by /)
    expect(arrivals()).toEqual([])
    expect(await approvals.list()).toEqual([])
  })

  test('is of one request: another one continues nothing, and changes nothing', async () => {
    const { modernClientOf, arrivals } = openAttacked(askWrite)
    const send = modernClientOf()
    const stranger = modernClientOf()
    const { requestState } = (await send('call', args)) as { requestState: string }
    const retry = { requestState, inputResponses: { ask1: yes } }
    await expect(stranger('call', args, retry)).rejects.toThrow('Invalid or expired requestState')
    await expect(send('batch', args, retry)).rejects.toThrow('Invalid or expired requestState')
    const forged = { requestState: 'forged', inputResponses: { ask1: yes } }
    expect(await send('call', args, forged)).toMatchObject({ resultType: 'input_required' })
    expect(arrivals()).toEqual([])
    // The client repeats the request with other arguments.
    expect(textOf(await send('call', writing({ path: '/b' }), retry))).toBe('did {"path":"/a"}')
    const again = await Promise.allSettled(
      Array.from({ length: 20 }, () => send('call', args, retry)),
    )
    expect(again.every(({ status }) => status === 'rejected')).toBe(true)
    expect(arrivals()).toEqual([{ name: 'write', arguments: { path: '/a' } }])
  })

  test.each(['once', 'session', 'kept'])(
    'of %s is not stronger than a refusal elsewhere',
    async (approve) => {
      const { modernClientOf, write, approvals, arrivals } = openAttacked(askWrite)
      const send = modernClientOf()
      const { requestState } = (await send('call', args)) as { requestState: string }
      await write({ path: '/a' })
      const [{ id = '' } = {}] = await approvals.list()
      await approvals.answer(id, 'refused', 'bob')
      const inputResponses = { ask1: { action: 'accept', content: { approve } } }
      const reply = await send('call', args, { requestState, inputResponses })
      expect(textOf(reply)).toContain('was refused by bob')
      expect(await write({ path: '/a' })).toContain('was refused by bob')
      expect(arrivals()).toEqual([])
    },
  )

  test('of each line of a batch shows the values that its references became', async () => {
    const { modernClientOf, arrivals } = openAttacked(askWrite)
    const send = modernClientOf()
    const line = (id: string, path: string) => JSON.stringify({ id, ...writing({ path }) })
    const read = JSON.stringify({ id: 'r', module: 'files', tool_name: 'read' })
    const commands = [read, line('x', '${r.path}'), line('y', '/a')].join('\n')
    const questions: string[] = []
    let reply = await send('batch', { commands })
    while (reply['resultType'] === 'input_required') {
      const requests = Object.entries(reply['inputRequests'] as Record<string, Message>)
      const inputResponses: JsonObject = {}
      for (const [key, { params }] of requests) {
        const message = String(params?.['message'])
        questions.push(message)
        inputResponses[key] = message.includes('"/b"') ? yes : { action: 'decline' }
      }
      reply = await send(
        'batch',
        { commands },
        {
          requestState: reply['requestState'] as string,
          inputResponses,
        },
      )
    }
    expect(questions).toHaveLength(2)
    const writes = arrivals().filter(({ name }) => name === 'write')
    expect(writes).toEqual([{ name: 'write', arguments: { path: '/b' } }])
  })

  test('of a server comes after it, says whose it is, and needs no second approval', async () => {
    let rounds = 0
    const message = 'Approve this call? files, read:\n  {}\nAsked because of aggregator.permissions'
    const asking = {
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: { mode: 'form', message } } },
      requestState: 'of the server',
    }
    const [write, ...rest] = createFiles().tools ?? []
    const run = () => (rounds++ === 0 ? asking : text('did it'))
    const files = createFiles({ era: 'modern', tools: [{ ...write, name: 'write', run }, ...rest] })
    const { modernClientOf, arrivals } = openAttacked(askWrite, { files })
    const send = modernClientOf()
    const first = await send('call', args)
    const next = (reply: JsonObject, answer: JsonObject) => {
      const [key = ''] = Object.keys(reply['inputRequests'] as JsonObject)
      const requestState = reply['requestState'] as string
      return send('call', args, { requestState, inputResponses: { [key]: answer } })
    }
    const second = await next(first, yes)
    const shown = Object.values(second['inputRequests'] as Record<string, Message>)
    expect(shown[0]?.params?.['message']).toMatch(/^files asks: Approve this call\?/)
    expect(textOf(await next(second, { action: 'accept', content: {} }))).toBe('did it')
    expect(arrivals().map(({ arguments: sent }) => sent)).toEqual([{ path: '/a' }, { path: '/a' }])
    expect(arrivals()[1]).toMatchObject({ requestState: 'of the server' })
  })

  test('shows names and arguments so that they imitate nothing', async () => {
    const questions: string[] = []
    const odd = 'w\n  {}\nApprove this call? files, read:'
    const files = createFiles({ tools: [{ name: odd, run: () => text('did it') }] })
    const { clientOf } = openAttacked({ default: 'ask' }, { files })
    const send = clientOf(ada, ({ params }) => {
      questions.push(String(params?.['message']))
      return { action: 'decline' }
    })
    const params = { 'x\n"\u202e': '"}\nAsked because of nothing\u2028\u0000' }
    await send('tools/call', {
      name: 'call',
      arguments: { module: 'files', tool_name: odd, params },
    })
    const lines = questions.flatMap((message) => message.split('\n'))
    expect(lines.filter((line) => !line.startsWith('  '))).toHaveLength(2)
    expect(questions.join('')).not.toMatch(/[\u202e\u2028\0]/)
  })
})

describe('the configuration changes', () => {
  const base = { servers: [configOf('files')], permissions: askWrite }
  const renamed = (from: string) =>
    configOf('files', { rules: { tools: { [from]: { name: 'put' }, read: { enabled: false } } } })
  const put = { module: 'files', tool_name: 'put', params: { path: '/a' } }
  const rule = (permissions: PermissionSettings): Partial<Configured> => ({ permissions })
  const changes: Record<string, { next: Partial<Configured>; from?: Configured; call?: object }> = {
    'it is denied': { next: rule({ ...askWrite, deny: [{ tools: ['files.write'] }] }) },
    'its arguments are denied': {
      next: rule({ ...askWrite, deny: [{ params: { path: { prefix: '/a' } } }] }),
    },
    'another one must approve': {
      next: rule({ ask: [{ tools: ['files.write'], approver: 'another' }] }),
    },
    'the server is started differently': {
      next: { servers: [configOf('files', { command: 'elsewhere' })] },
    },
    'the name is that of another tool': {
      from: { permissions: { default: 'ask' }, servers: [renamed('write')] },
      next: { servers: [renamed('move')] },
      call: put,
    },
  }
  test.each(Object.entries(changes))(
    'while a form is open, or after the answer: %s',
    async (_, { next, from = base, call = args }) => {
      const opened = openAttacked({}, from as object)
      const { aggregator, modernClientOf, clientOf, approve, arrivals } = opened
      const send = modernClientOf()
      const { requestState } = (await send('call', call as JsonObject)) as { requestState: string }
      const wait = () => clientOf()('tools/call', { name: 'call', arguments: call })
      await wait()
      await approve()
      aggregator.replace({ ...from, ...next })
      const retry = { requestState, inputResponses: { ask1: yes } }
      expect(textOf(await send('call', call as JsonObject, retry))).toContain('Nothing was called')
      expect(textOf(await wait())).toContain('Nothing was called')
      expect(arrivals()).toEqual([])
    },
  )

  test('while it waits for a server: a read and a call are decided again', async () => {
    let start = (): void => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const files = createFiles()
    const opened = openAttacked({ default: 'ask', approvalMinutes: 1 }, { files })
    const { aggregator, world, clientOf, approve, arrivals } = opened
    const send = clientOf()
    const read = () => send('resources/read', { uri: 'file:///etc/passwd' })
    const write = () => send('tools/call', { name: 'call', arguments: args })
    await expect(read()).rejects.toThrow('waits for approval')
    await write()
    await approve()
    for (const connection of world.connections) connection.crash()
    files.onStart = () => started
    const replies = Promise.allSettled([read(), write()])
    await expect.poll(() => world.starts['files']).toBe(2)
    aggregator.replace({ ...base, permissions: { default: 'deny' } })
    start()
    const [ofRead, ofWrite] = await replies
    expect(ofRead).toMatchObject({ status: 'rejected', reason: { message: /Nothing was called/ } })
    expect(textOf((ofWrite as { value: JsonObject }).value)).toContain('Nothing was called')
    expect(arrivals()).toEqual([])
  })

  test('an approval without its rule is of no use, and with it again it is valid', async () => {
    const { aggregator, write, approve, arrivals } = openAttacked(askWrite)
    await write({ path: '/a' })
    await approve()
    aggregator.replace({ ...base, permissions: { deny: [{ tools: ['files.*'] }] } })
    expect(await write({ path: '/a' })).toContain('is denied by')
    aggregator.replace(base)
    expect(await write({ path: '/a' })).toMatch(/^did/)
    expect(await write({ path: '/a' })).toContain('waits for approval')
    expect(arrivals()).toHaveLength(1)
  })
})

describe('the server changes the definition', () => {
  const described = (description: string): FakeServer['tools'] =>
    createFiles().tools?.map((tool) => ({
      ...tool,
      definition: { ...tool.definition, description },
    }))
  const failing: FakeServer['tools'] = []
  const ways = [true, false].flatMap((pin) =>
    (['silently', 'with a notice', 'with a new connection'] as const).flatMap((way) =>
      [described('Deletes.'), failing].map((tools) => ({ pin, way, tools, count: tools?.length })),
    ),
  )
  test.each(ways)('$way to $count tools, with pin $pin', async ({ pin, way, tools }) => {
    const files = createFiles({ tools: described('Writes.') ?? [] })
    const opened = openAttacked(askWrite, { files, trust: { pin } })
    const { world, write, approve, modernClientOf, arrivals } = opened
    const send = modernClientOf()
    await write({ path: '/a' })
    await approve()
    const { requestState } = (await send('call', writing({ path: '/c' }))) as {
      requestState: string
    }
    files.tools = tools ?? []
    const [connection] = world.connections
    if (way === 'with a notice')
      connection?.events.onNotification({ method: 'notifications/tools/list_changed' })
    if (way === 'with a new connection') connection?.crash()
    const retry = { requestState, inputResponses: { ask1: yes } }
    expect(textOf(await send('call', writing({ path: '/c' }), retry))).toMatch(/Nothing was called/)
    const refused = /Nothing was called|has no tool "write"/
    expect(await write({ path: '/a' })).toMatch(refused)
    expect(await write({ path: '/a' })).toMatch(refused)
    expect(arrivals()).toEqual([])
  })
})
