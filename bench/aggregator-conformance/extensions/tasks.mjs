// Tasks (SEP-2663) of a server of 2026-07-28, on bare JSON-RPC: no SDK has them in this form.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

const key = (name) => `io.modelcontextprotocol/${name}`
export const extension = key('tasks')
export const subscriptionId = key('subscriptionId')

const failure = (code, message, data) => Object.assign(new Error(message), { code, data })
const said = (text, more) => ({ content: [{ type: 'text', text }], ...more })

const question = (message, name, type) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
})

/** What tools do in a task: they get their arguments, may ask, and end early when cancelled. */
const jobs = {
  async slow_compute({ seconds = 0, label = '' }, { signal }) {
    await wait(seconds * 1_000, undefined, { signal })
    return said(`computed ${label}`)
  },
  async failing_job(_, { signal }) {
    await wait(1_000, undefined, { signal })
    return said('the job failed', { isError: true })
  },
  async protocol_error_job() {
    throw failure(-32603, 'the job broke down')
  },
  async confirm_delete({ filename }, { ask }) {
    const { confirm } = await ask({
      confirm: question(`Delete ${filename}?`, 'confirm', 'boolean'),
    })
    return said(confirm.content?.confirm ? `deleted ${filename}` : 'kept')
  },
  async multi_input(_, { ask }) {
    const { first, second } = await ask({
      first: question('The first name?', 'name', 'string'),
      second: question('The second name?', 'name', 'string'),
    })
    return said(`${first.content?.name} and ${second.content?.name}`)
  },
  async test_tool_with_task({ user }) {
    return said(`Hello, ${user}!`)
  },
}

/** They cannot answer without a task; the others wait for their job. */
const required = new Set(['failing_job', 'confirm_delete', 'multi_input', 'test_tool_with_task'])

const properties = {
  greet: { name: { type: 'string' } },
  slow_compute: { seconds: { type: 'number' }, label: { type: 'string' } },
  confirm_delete: { filename: { type: 'string' } },
}
const tools = ['greet', ...Object.keys(jobs)].map((name) => ({
  name,
  description: `Fixture ${name}`,
  inputSchema: { type: 'object', properties: properties[name] ?? {} },
  ...(name in jobs && {
    execution: { taskSupport: required.has(name) ? 'required' : 'optional' },
  }),
}))

/** `publish` gets each new state of a task. */
export function createTasks(publish) {
  const tasks = new Map()
  const taskOf = ({ taskId }) => {
    const task = tasks.get(taskId)
    if (!task) throw failure(-32602, `Unknown task: ${taskId}`)
    return task
  }

  function change(task, changes) {
    Object.assign(task.state, changes, { lastUpdatedAt: new Date().toISOString() })
    publish(structuredClone(task.state))
  }

  function start(run) {
    const now = new Date().toISOString()
    const controller = new AbortController()
    const state = {
      taskId: randomUUID(),
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 600_000,
      pollIntervalMs: 100,
    }
    const task = { state, controller, answers: {} }
    tasks.set(state.taskId, task)
    const ask = (inputRequests) =>
      new Promise((resolve) => {
        task.resume = resolve
        change(task, { status: 'input_required', inputRequests })
      })
    const created = { ...state, resultType: 'task' }
    run({ signal: controller.signal, ask }).then(
      (result) => end(task, { status: 'completed', result }),
      ({ code = -32603, message }) => end(task, { status: 'failed', error: { code, message } }),
    )
    return created
  }

  function end(task, changes) {
    if (task.controller.signal.aborted) return
    delete task.state.inputRequests
    change(task, changes)
  }

  function update(task, responses) {
    const { inputRequests: open = {} } = task.state
    const answered = Object.keys(responses).filter((id) => id in open)
    if (answered.length === 0) return
    for (const id of answered) task.answers[id] = responses[id]
    const rest = Object.entries(open).filter(([id]) => !answered.includes(id))
    if (rest.length > 0) return change(task, { inputRequests: Object.fromEntries(rest) })
    delete task.state.inputRequests
    change(task, { status: 'working' })
    task.resume(task.answers)
  }

  const call = async ({ name, arguments: args = {}, inputResponses }, takesTasks) => {
    if (name === 'greet') return said(`Hello, ${args.name}!`)
    if (!Object.hasOwn(jobs, name)) throw failure(-32602, `Unknown tool: ${name}`)
    if (!takesTasks && required.has(name)) throw undeclared()
    if (name === 'test_tool_with_task' && !inputResponses?.user_name)
      return {
        resultType: 'input_required',
        inputRequests: { user_name: question('Your name?', 'name', 'string') },
        requestState: 'asked',
      }
    const given = { ...args, user: inputResponses?.user_name?.content?.name }
    if (takesTasks) return start((task) => jobs[name](given, task))
    return jobs[name](given, { signal: new AbortController().signal })
  }

  const methods = {
    'server/discover': () => ({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { [extension]: {} } },
      serverInfo: { name: 'tasks', version: '1' },
      ttlMs: 0,
      cacheScope: 'private',
    }),
    'tools/list': () => ({ tools, ttlMs: 0, cacheScope: 'private' }),
    'tools/call': call,
    'tasks/get': (params) => structuredClone(taskOf(params).state),
    'tasks/update': (params) => {
      update(taskOf(params), params.inputResponses ?? {})
      return {}
    },
    'tasks/cancel': (params) => {
      const task = taskOf(params)
      if (['working', 'input_required'].includes(task.state.status)) {
        end(task, { status: 'cancelled' })
        task.controller.abort()
      }
      return {}
    },
  }

  return {
    /** The response to a request. */
    async answer({ id, method, params = {} }) {
      try {
        if (!Object.hasOwn(methods, method)) throw failure(-32601, `Method not found: ${method}`)
        const takesTasks = declares(params)
        if (method.startsWith('tasks/') && !takesTasks) throw undeclared()
        const result = await methods[method](params, takesTasks)
        return { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }
      } catch ({ code = -32603, message, data }) {
        return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }
      }
    },
    /** The ids that a stream may name: those of tasks, for clients that declare them. */
    idsIn: (params) =>
      (declares(params) ? (params.notifications?.taskIds ?? []) : []).filter((id) => tasks.has(id)),
  }
}

const declares = (params) =>
  params._meta?.[key('clientCapabilities')]?.extensions?.[extension] !== undefined

const undeclared = () =>
  failure(-32021, 'Missing required client capability', {
    requiredCapabilities: { extensions: { [extension]: {} } },
  })
