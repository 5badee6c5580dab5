// A server that is broken in one way; raw JSON-RPC over stdio. Its tool is `echo`.
//   node faulty-server.mjs KIND
import { closeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const write = (line) => process.stdout.write(`${line}\n`)
const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }))
const changed = () => send({ method: 'notifications/tools/list_changed' })
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const echo = (message = { type: 'string' }) => ({
  name: 'echo',
  inputSchema: { type: 'object', properties: { message } },
})
const numbered = (count) =>
  Array.from({ length: count }, (_, index) => ({ ...echo(), name: `tool_${index}` }))
/** Lists the tool with this schema of its parameter. */
const lists = (message) => ({ 'tools/list': () => ({ tools: [echo(message)] }) })
const nested = (levels) =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) }

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'faulty', version: '1' },
  }),
  'tools/list': () => ({ tools: [echo()] }),
  'tools/call': (params) => text(params.arguments?.message ?? 'no message'),
  ping: () => ({}),
}

const slowly = (method) => ({
  [method]: async (params) => {
    await sleep(8_000)
    return answers[method](params)
  },
})

/** Blocks while nobody reads: pipes are synchronous in Node. */
function flood() {
  process.stderr.write('a line of a server that writes all the time\n'.repeat(1_000))
  setImmediate(flood)
}

function endless(left = 300) {
  process.stdout.write('x'.repeat(1_000_000))
  if (left > 1) setImmediate(endless, left - 1)
}

const every = (milliseconds, work) => setInterval(work, milliseconds)

/**
 * By kind: its title, what it does at its start, how it answers a method (undefined: not at all),
 * how it sends a result, and what `echo` is called with.
 */
export const faults = {
  crash: {
    title: 'crash at start',
    start() {
      console.error('Cannot find module')
      process.exit(1)
    },
  },
  'crash-list': { title: 'crash while listing', 'tools/list': () => process.exit(3) },
  abort: {
    title: 'abort by a signal during the call',
    'tools/call': () => void process.kill(process.pid, 'SIGABRT'),
  },
  'slow-start': { title: 'start takes 8 s', ...slowly('initialize') },
  'slow-list': { title: 'list takes 8 s', ...slowly('tools/list') },
  junk: { title: 'junk on stdout every 20 ms', start: () => every(20, () => write('[info] junk')) },
  stderr: { title: 'flood on stderr', start: flood },
  notices: {
    title: '5,000 list_changed a second',
    ready: () => every(20, () => Array.from({ length: 100 }, changed)),
  },
  changing: {
    title: 'list changes 50 times a second',
    ready: () => every(20, changed),
    'tools/list': () => ({ tools: [echo(), { ...echo(), name: `at_${Date.now()}` }] }),
  },
  many: { title: '9,015 tools', 'tools/list': () => ({ tools: [echo(), ...numbered(9_014)] }) },
  endless: { title: 'line of 300 MB without an end', 'tools/call': () => endless() },
  cursor: {
    title: 'cursors of tools/list in a circle',
    'tools/list': (params) => ({
      tools: [echo()],
      nextCursor: params?.cursor === 'one' ? 'other' : 'one',
    }),
  },
  half: {
    title: 'half a line, then exit',
    'tools/call': () =>
      process.stdout.write('{"jsonrpc":"2.0","re', () => process.exit(0)) && undefined,
  },
  ids: {
    title: 'answers of calls with wrong ids',
    'tools/call': (params, id) =>
      void send({ id: `${id}0`, result: answers['tools/call'](params) }),
  },
  double: {
    title: 'every answer twice',
    send(message) {
      send(message)
      send(message)
    },
  },
  progress: {
    title: '5,000 progress notifications',
    'tools/call': (params) => {
      const { progressToken = 'none' } = params._meta ?? {}
      for (let progress = 1; progress <= 5_000; progress++)
        send({ method: 'notifications/progress', params: { progressToken, progress } })
      return answers['tools/call'](params)
    },
  },
  'big-schema': {
    title: 'schema of 2.9 MB',
    ...lists({ type: 'string', description: 'long '.repeat(580_000) }),
  },
  'deep-schema': { title: 'schema 100 levels deep', ...lists(nested(100)) },
  pattern: {
    title: 'pattern with exponential backtracking',
    message: `${'a'.repeat(40)}!`,
    ...lists({ type: 'string', pattern: '^(a+)+$' }),
  },
  circular: { title: 'circular $ref', ...lists({ $ref: '#/properties/message' }) },
  remote: { title: 'remote $ref', ...lists({ $ref: 'http://127.0.0.1:9/a.json' }) },
  null: { title: '"result": null', 'tools/call': () => null },
  'deep-result': {
    title: 'structuredContent 20,000 deep',
    'tools/call': (_, id) => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
      const content = JSON.stringify(text('deep').content)
      const result = `{"content":${content},"structuredContent":${deep}}`
      write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
    },
  },
  closed: {
    title: 'stdout closed during the call',
    'tools/call'() {
      closeSync(1)
      every(1_000, () => undefined)
    },
  },
  hung: {
    title: 'hung at initialize, and on SIGTERM',
    start: () => process.on('SIGTERM', () => undefined) && every(1_000, () => undefined),
    initialize: () => undefined,
  },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fault = faults[process.argv[2]]
  if (!fault) throw new Error(`No kind ${process.argv[2]}; there are ${Object.keys(faults)}`)
  fault.start?.()
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    if (method === 'notifications/initialized') fault.ready?.()
    if (id === undefined) continue
    const answer = { ...answers, ...fault }[method]
    const result = await answer?.(params, id)
    if (result !== undefined) (fault.send ?? send)({ id, result })
    else if (!answer) send({ id, error: { code: -32601, message: `No method ${method}` } })
  }
}
