import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configure, startOverHttp } from './aggregator-process.ts'

const server = fileURLToPath(new URL('tasks-server.mjs', import.meta.url))
const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const key = (name: string): string => `io.modelcontextprotocol/${name}`
const tasks = { extensions: { [key('tasks')]: {} } }

let remote: ReturnType<typeof spawn>
let configured: ReturnType<typeof configure>
let aggregator: Awaited<ReturnType<typeof startOverHttp>>
beforeAll(async () => {
  remote = spawn(process.execPath, [server, '--http'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said] = (await once(remote.stderr ?? remote, 'data')) as [Buffer]
  const port = /port (\d+)/.exec(String(said))?.[1]
  configured = configure(
    {
      near: { command: process.execPath, args: [server] },
      far: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
      older: { command: process.execPath, args: [everything] },
    },
    { callers: { ann: { token: 'a'.repeat(32) }, bob: { token: 'b'.repeat(32) } } },
  )
  aggregator = await startOverHttp(configured.args)
}, 30_000)
afterAll(async () => {
  await aggregator.stop()
  remote.kill()
  configured.remove()
})

type Json = Record<string, unknown>
interface Answer {
  result?: Json & { taskId?: string; status?: string; result?: { content: { text: string }[] } }
  error?: { code: number; message: string; data?: Json }
}

const envelope = (capabilities: object, meta: object = {}) => ({
  [key('protocolVersion')]: '2026-07-28',
  [key('clientInfo')]: { name: 'test', version: '0' },
  [key('clientCapabilities')]: capabilities,
  ...meta,
})

interface Sending {
  capabilities?: object
  caller?: string
  signal?: AbortSignal
}

/** A request of 2026-07-28 over HTTP, without an SDK, none of which take tasks. */
function send(
  method: string,
  params: Json,
  { capabilities = tasks, caller = 'a', signal }: Sending = {},
): Promise<Response> {
  const named = String(params['name'] ?? params['taskId'] ?? '')
  return fetch(aggregator.url, {
    method: 'POST',
    ...(signal && { signal }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${caller.repeat(32)}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(named && { 'mcp-name': named }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: envelope(capabilities) },
    }),
  })
}

async function ask(method: string, params: Json, sending?: Sending): Promise<Answer> {
  const text = await (await send(method, params, sending)).text()
  const data = text.startsWith('{') ? text : (/^data: (.*"id":1.*)$/m.exec(text)?.[1] ?? text)
  return JSON.parse(data) as Answer
}

const called = (module: string, tool_name: string): Json => ({
  name: 'call',
  arguments: { module, tool_name },
})

async function settled(taskId: unknown, has: (status: string) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask('tasks/get', { taskId: String(taskId) })
    if (answer.error || has(String(answer.result?.status))) return answer
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
const isOver = (status: string): boolean => !['working', 'input_required'].includes(status)

describe.each(['near', 'far'])('a client that takes tasks, server %s', (module) => {
  test('gets a sealed handle, and the result by it', async () => {
    const { result } = await ask('tools/call', called(module, 'quick'))
    expect(result).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 60 })
    expect(result?.taskId).toMatch(/^sealed-1:/)
    const ended = await settled(result?.taskId, isOver)
    expect(ended.result).toMatchObject({
      resultType: 'complete',
      taskId: result?.taskId,
      status: 'completed',
      result: { content: [{ text: 'done' }] },
    })
  })

  test('answers the questions of a task', async () => {
    const { result } = await ask('tools/call', called(module, 'asks'))
    const { taskId } = result ?? {}
    const asked = await settled(taskId, (status) => status === 'input_required')
    expect(asked.result?.['inputRequests']).toHaveProperty('name.method', 'elicitation/create')
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } }
    expect(await ask('tasks/update', { taskId, inputResponses })).toHaveProperty('result')
    expect((await settled(taskId, isOver)).result?.result?.content[0]?.text).toBe('hello Ada')
  })

  test('cancels a task', async () => {
    const { result } = await ask('tools/call', called(module, 'endless'))
    await ask('tasks/cancel', { taskId: result?.taskId })
    expect((await settled(result?.taskId, isOver)).result?.status).toBe('cancelled')
  })
})

/** What a subscription stream says until `isEnough`, or until it ends. */
async function listened(
  notifications: Json,
  isEnough: (messages: Answer[]) => boolean,
  sending?: Sending,
): Promise<Notice[]> {
  const controller = new AbortController()
  const about = { ...sending, signal: controller.signal }
  const response = await send('subscriptions/listen', { notifications }, about)
  const messages: Notice[] = []
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const [, data] of chunk.matchAll(/^data: (.*)$/gm)) messages.push(JSON.parse(data ?? ''))
    if (isEnough(messages)) break
  }
  controller.abort()
  return messages
}
type Notice = Answer & { method?: string; params?: Json & { notifications?: Json } }

describe.each(['near', 'far'])('a stream for a task of %s', (module) => {
  test('has its states, under its own id', async () => {
    const { result } = await ask('tools/call', called(module, 'told'))
    const taskIds = [result?.taskId]
    const filter = { taskIds, toolsListChanged: true }
    const isLast = ({ params }: Notice): boolean => params?.['status'] === 'completed'
    const messages = await listened(filter, (heard) => heard.some(isLast))
    const [said, half] = messages
    const ended = messages.find(isLast)
    expect(said).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: filter },
    })
    expect(said?.params?.notifications).not.toHaveProperty('resourceSubscriptions')
    expect(half).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId: result?.taskId, status: 'working', statusMessage: 'half' },
    })
    expect(half?.params).not.toHaveProperty('uri')
    expect(half?.params?.['_meta']).toEqual({ [key('subscriptionId')]: 1 })
    expect(ended?.params?.['status']).toBe('completed')
    expect(JSON.stringify(ended?.params?.['result'])).toContain('read_more')
  })

  test.each<[string, (id: unknown) => Json, Sending]>([
    ['another caller', (id) => ({ taskIds: [id] }), { caller: 'b' }],
    ['a client without tasks', (id) => ({ taskIds: [id] }), { capabilities: {} }],
    ['the id of the server', () => ({ taskIds: ['t1'] }), {}],
    ['that id as a resource', () => ({ resourceSubscriptions: [`${key('tasks')} t1`] }), {}],
  ])('has none for %s', async (_name, filter, sending) => {
    const { result } = await ask('tools/call', called(module, 'told'))
    const messages = await listened(filter(result?.taskId), () => false, sending)
    expect(messages[0]?.params?.notifications).toEqual({})
    expect(messages.filter(({ method }) => method === 'notifications/tasks')).toEqual([])
  })
})

test('a long result of a task is paged as that of a call', async () => {
  const { result } = await ask('tools/call', called('near', 'long'))
  const text = (await settled(result?.taskId, isOver)).result?.result?.content.at(-1)?.text
  expect(text).toContain('read_more')
})

test('a handle is of one caller, and only for clients that declare tasks', async () => {
  const { result } = await ask('tools/call', called('near', 'endless'))
  const params = { taskId: result?.taskId }
  expect((await ask('tasks/get', params, { caller: 'b' })).error?.code).toBe(-32602)
  expect((await ask('tasks/get', { taskId: 't1' })).error?.code).toBe(-32602)
  const undeclared = await ask('tasks/get', params, { capabilities: {} })
  expect(undeclared.error).toMatchObject({ code: -32021, data: { requiredCapabilities: tasks } })
  await ask('tasks/cancel', params)
})

test('the extension is offered to clients of 2026-07-28', async () => {
  const { result } = await ask('server/discover', {})
  expect(result?.['capabilities']).toMatchObject(tasks)
})

const info = { name: 'test', version: '0' }
const capabilities = { elicitation: {} }
const versionNegotiation = { mode: { pin: '2026-07-28' as const } }

describe.each([
  ['version 1', () => new FirstClient(info, { capabilities }), FirstTransport],
  [
    'version 2 of 2026',
    () => new Client(info, { capabilities, versionNegotiation }),
    StreamableHTTPClientTransport,
  ],
] as const)('a client without tasks, %s', (_name, create, Transport) => {
  let client: Client | FirstClient
  beforeAll(async () => {
    client = create()
    const answer = () => ({ action: 'accept' as const, content: { name: 'Ada' } })
    if (client instanceof Client) client.setRequestHandler('elicitation/create', answer)
    else client.setRequestHandler(ElicitRequestSchema, answer)
    const requestInit = { headers: { authorization: `Bearer ${'a'.repeat(32)}` } }
    await client.connect(new Transport(new URL(aggregator.url), { requestInit }) as never)
  })
  afterAll(() => client.close())
  const use = (module: string, tool: string, options: object = {}): Promise<Json> => {
    const params = { ...called(module, tool), name: 'call' }
    return client instanceof Client
      ? client.callTool(params, options)
      : (client as FirstClient).callTool(params, undefined, options)
  }

  test.each(['near', 'far'])('gets the result of a task of %s, with progress', async (module) => {
    const messages: unknown[] = []
    const onprogress = ({ message }: { message?: string }): unknown => messages.push(message)
    expect(await use(module, 'quick', { onprogress })).toMatchObject({
      content: [{ text: 'done' }],
    })
    expect(messages).toContain('step 1')
  })

  test('is asked what a task asks', async () => {
    expect(await use('far', 'asks')).toMatchObject({ content: [{ text: 'hello Ada' }] })
  })

  test('gets the error of a task that failed', async () => {
    await expect(use('near', 'fails')).rejects.toThrow('out of paper')
  })

  test('cancels a task by cancelling the call', async () => {
    const before = JSON.stringify(await use('near', 'cancelled'))
    await expect(use('near', 'endless', { timeout: 400 })).rejects.toThrow()
    await expect.poll(async () => JSON.stringify(await use('near', 'cancelled'))).not.toBe(before)
  })
})

test('a tool of 2025-11-25 that is a task only is called as one', async () => {
  const { result } = await ask(
    'tools/call',
    {
      name: 'call',
      arguments: {
        module: 'older',
        tool_name: 'simulate-research-query',
        params: { topic: 'paper' },
      },
    },
    { capabilities: {} },
  )
  expect(JSON.stringify(result)).toContain('paper')
  expect(result).not.toHaveProperty('task')
}, 30_000)

test('over stdio, too', async () => {
  const own = configure({ near: { command: process.execPath, args: [server] } })
  const child = spawn(process.execPath, own.args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const heard: Notice[] = []
  const say = async (id: number, method: string, params: Json): Promise<Answer> => {
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope(tasks) } }
    child.stdin.write(`${JSON.stringify(message)}\n`)
    for (;;) {
      const answer = JSON.parse((await lines.next()).value as string) as Answer & { id?: number }
      if (answer.id === id) return answer
      heard.push(answer)
    }
  }
  await say(1, 'server/discover', {})
  const { result } = await say(2, 'tools/call', called('near', 'quick'))
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  let state: Answer = {}
  for (let id = 3; !isOver(String(state.result?.status ?? 'working')); id++)
    state = await say(id, 'tasks/get', { taskId: result?.taskId })
  expect(state.result?.result?.content[0]?.text).toBe('done')
  const told = await say(100, 'tools/call', called('near', 'told'))
  const { taskId } = told.result ?? {}
  const params = { notifications: { taskIds: [taskId] }, _meta: envelope(tasks) }
  const listen = { jsonrpc: '2.0', id: 'stream', method: 'subscriptions/listen', params }
  child.stdin.write(`${JSON.stringify(listen)}\n`)
  const isTold = ({ method, params }: Notice): boolean =>
    method === 'notifications/tasks' && params?.['taskId'] === taskId
  // The server repeats both.
  const states = (): Set<unknown> =>
    new Set(heard.filter(isTold).map(({ params }) => params?.['status']))
  for (let id = 101; states().size < 2; id++) await say(id, 'tools/list', {})
  expect([...states()]).toEqual(['working', 'completed'])
  child.kill()
  own.remove()
})
