// A server of 2026-07-28 whose tools run as tasks (SEP-2663), on bare JSON-RPC.
//   node tasks-server.mjs [--http]      the port is printed to standard error
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const key = (name) => `io.modelcontextprotocol/${name}`
const extension = key('tasks')
const tasks = new Map()
const cancelled = []

const tool = (name) => ({ name, inputSchema: { type: 'object' } })
const content = (said) => ({ content: [{ type: 'text', text: said }] })
const failure = (code, message) => Object.assign(new Error(message), { code })

function stateOf(task) {
  const { polls, inputs, kind, ...state } = task
  if (task.status === 'cancelled') return state
  if (kind === 'asks' && inputs === undefined) {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const params = { mode: 'form', message: 'Your name?', requestedSchema }
    return {
      ...state,
      status: 'input_required',
      inputRequests: { name: { method: 'elicitation/create', params } },
    }
  }
  if (kind === 'endless' || kind === 'told' || ++task.polls < 3)
    return { ...state, statusMessage: `step ${task.polls}` }
  if (kind === 'fails')
    return { ...state, status: 'failed', error: { code: -32050, message: 'out of paper' } }
  const said =
    kind === 'asks' ? `hello ${inputs.name.content.name}` : kind === 'long' ? long : 'done'
  return { ...state, status: 'completed', result: content(said) }
}

const long = Array.from({ length: 9_000 }, (_, at) => `line ${at}`).join('\n')

function create(kind) {
  const task = {
    kind,
    polls: 0,
    taskId: `t${tasks.size + 1}`,
    status: 'working',
    pollIntervalMs: 60,
  }
  tasks.set(task.taskId, Object.assign(task, { createdAt: '2026-11-01T00:00:00Z', ttlMs: 60_000 }))
  const { polls, ...state } = task
  return { ...state, lastUpdatedAt: task.createdAt, resultType: 'task' }
}

const answers = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { [extension]: {} } },
    serverInfo: { name: 'tasks', version: '1' },
  }),
  'tools/list': () => ({
    tools: ['quick', 'asks', 'fails', 'endless', 'long', 'told', 'cancelled'].map(tool),
    ttlMs: 0,
    cacheScope: 'private',
  }),
  'tools/call': ({ name }) => (name === 'cancelled' ? content(cancelled.join(',')) : create(name)),
  'tasks/get': ({ taskId }) => stateOf(tasks.get(taskId)),
  'tasks/update': ({ taskId, inputResponses }) => {
    tasks.get(taskId).inputs = inputResponses
    return {}
  },
  'tasks/cancel': ({ taskId }) => {
    tasks.get(taskId).status = 'cancelled'
    cancelled.push(taskId)
    return {}
  },
}

/**
 * A stream that tells the end of each task `told`, of clients that declare tasks. It tells it again
 * and again: on a busy machine, the way to the client may not be open at the first time.
 */
function listen({ id, params }, send) {
  const { extensions } = params._meta?.[key('clientCapabilities')] ?? {}
  const taskIds = (extensions?.[extension] && params.notifications.taskIds) || []
  const note = (method, sent) =>
    send({ jsonrpc: '2.0', method, params: { ...sent, _meta: { [key('subscriptionId')]: id } } })
  note('notifications/subscriptions/acknowledged', { notifications: { taskIds } })
  for (const task of taskIds.map((taskId) => tasks.get(taskId)).filter((it) => it?.kind === 'told'))
    setInterval(() => {
      const { polls, kind, ...state } = task
      note('notifications/tasks', { ...state, statusMessage: 'half' })
      note('notifications/tasks', { ...state, status: 'completed', result: content(long) })
    }, 200).unref()
}

function answer({ id, method, params }, header) {
  try {
    const known = answers[method]
    if (!known) throw failure(-32601, `Method not found: ${method}`)
    const { extensions } = params._meta?.[key('clientCapabilities')] ?? {}
    if (method.startsWith('tasks/')) {
      if (!extensions?.[extension]) throw failure(-32021, 'Missing required client capability')
      if (!tasks.has(params.taskId)) throw failure(-32602, 'Task not found')
      if (header !== undefined && header !== params.taskId)
        throw failure(-32602, 'Mcp-Name differs')
    }
    return { jsonrpc: '2.0', id, result: { resultType: 'complete', ...known(params) } }
  } catch ({ code = -32603, message }) {
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

if (process.argv.includes('--http')) {
  const server = createServer(async (request, response) => {
    const message = JSON.parse((await text(request)) || '{}')
    if (message.id === undefined) return void response.writeHead(202).end()
    if (message.method === 'subscriptions/listen') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      listen(message, (sent) => response.write(`data: ${JSON.stringify(sent)}\n\n`))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(message, request.headers['mcp-name'])))
  })
  server.listen(0, '127.0.0.1', () => console.error(`port ${server.address().port}`))
} else
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    const send = (sent) => process.stdout.write(`${JSON.stringify(sent)}\n`)
    if (message.method === 'subscriptions/listen') listen(message, send)
    else if (message.id !== undefined) send(answer(message))
  })
