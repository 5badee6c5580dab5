import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node'
import { createTasks, subscriptionId } from './tasks.mjs'

/** Subscription streams: each is sent the states of the tasks that it names. */
function createStreams() {
  const streams = new Set()
  const stamped = (id, method, params) => ({
    jsonrpc: '2.0',
    method,
    params: { ...params, _meta: { [subscriptionId]: id } },
  })
  return {
    publish(task) {
      for (const { id, taskIds, send } of streams)
        if (taskIds.includes(task.taskId)) send(stamped(id, 'notifications/tasks', task))
    },
    /** Returns a function that closes the stream. */
    open(id, taskIds, send) {
      const stream = { id, taskIds, send }
      send(stamped(id, 'notifications/subscriptions/acknowledged', { notifications: { taskIds } }))
      streams.add(stream)
      return () => streams.delete(stream)
    },
  }
}

const isStream = ({ method }) => method === 'subscriptions/listen'

export function serveTasksStdio() {
  const streams = createStreams()
  const tasks = createTasks(streams.publish)
  const open = new Map()
  const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message = JSON.parse(line)
    const { id, method, params } = message
    if (isStream(message)) open.set(id, streams.open(id, tasks.idsIn(params), send))
    else if (method === 'notifications/cancelled') open.get(params.requestId)?.()
    else if (id !== undefined) send(await tasks.answer(message))
  })
}

export function serveTasksHttp(port) {
  const streams = createStreams()
  const tasks = createTasks(streams.publish)
  return listen(port, async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const message = JSON.parse(await text(request))
    if (message.id === undefined) return void response.writeHead(202).end()
    const problem = headerProblem(request.headers, message)
    if (problem) {
      const error = { code: -32020, message: problem }
      return reply(response, 400, { jsonrpc: '2.0', id: message.id, error })
    }
    if (isStream(message)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const send = (sent) => response.write(`event: message\ndata: ${JSON.stringify(sent)}\n\n`)
      response.on('close', streams.open(message.id, tasks.idsIn(message.params), send))
      return
    }
    const answer = await tasks.answer(message)
    const statuses = { [-32601]: 404, [-32021]: 400 }
    reply(response, statuses[answer.error?.code] ?? 200, answer)
  })
}

/** The parameter that `Mcp-Name` repeats; an unknown method is refused before its headers are. */
const named = {
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Proxies route by these headers, so they must repeat the body (SEP-2243). */
function headerProblem(headers, { method, params = {} }) {
  if (headers['mcp-method'] !== method) return `Mcp-Method is not ${method}`
  const name = params[named[method]]
  return name && headers['mcp-name'] !== name ? `Mcp-Name is not ${name}` : undefined
}

function reply(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(message))
}

/** The skills of a folder over HTTP; `aggregator-mcp skills` serves them over stdio. */
export async function serveSkillsHttp(port, folder) {
  const skills = await loadSkills(folder)
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'skills', version: '1' })
    skills.attach(server)
    return server
  })
  return listen(port, toNodeHandler(handler))
}

async function listen(port, handle) {
  const server = createServer(handle).listen(port, '127.0.0.1')
  await once(server, 'listening')
}
