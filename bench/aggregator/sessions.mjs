// What whole sessions carry, without a model: the public run of LiveMCPBench, 95 tasks of one model
// with 70 servers, replayed call by call. Each request carries the preamble, the list of tools, and all
// that was said before it. Searches of its harness become searches of each way that has one. Where a
// first page lacks a piece that the model writes later, the next page is read: a request more.
// The native runs of tokbench follow, whose tools are those of a harness: as if a server had them.
//   git clone --depth 1 https://github.com/icip-cas/LiveMCPBench
//   git clone --depth 1 https://github.com/Entelligentsia/tokbench
//   LIVEMCPBENCH=<folder> TOKBENCH=<folder> node sessions.mjs
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { createAggregator } from '../../packages/aggregator/dist/index.js'
import { fieldsOf, piecesOf, readRuns, readTask } from './live-mcp-runs.mjs'
import { connectionOf } from './open-set.mjs'
import { printTable } from './report.mjs'
import { messagesOf, readTokbench, toolsIn } from './tokbench-runs.mjs'

/** Tokens of a client's system prompt and own tools, as in tokbench's session of Claude Code. */
const preamble = 13_000

const { LIVEMCPBENCH: folder, TOKBENCH: tokbench } = process.env
const tasks = folder && readRuns(folder)
if (!tasks) {
  console.log(
    'LiveMCPBench is absent: git clone --depth 1 https://github.com/icip-cas/LiveMCPBench, then LIVEMCPBENCH=<folder> node sessions.mjs',
  )
  process.exit(folder ? 1 : 0)
}

const path = join(folder, 'tools/LiveMCPTool/tools.json')
const listing = existsSync(path)
  ? readFileSync(path, 'utf8')
  : execFileSync('git', ['-C', folder, 'show', 'HEAD:tools/LiveMCPTool/tools.json'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
const servers = new Map(
  JSON.parse(listing).flatMap(({ tools }) =>
    Object.entries(tools).map(([name, { tools }]) => [name, tools]),
  ),
)

const costs = new Map()
/** Tokens of o200k. */
function tokens(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!costs.has(text)) costs.set(text, encode(text).length)
  return costs.get(text)
}

/** What the server of a call answers now. */
let answer = ''
const serverOf = (tools) =>
  connectionOf(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    () => ({ content: [{ type: 'text', text: answer }] }),
  )

const configured = (name) => name.replace(/[^\w. -]+/g, '-').replace(/^[^a-zA-Z0-9]+/, '')

async function openPith(names) {
  const byName = new Map(names.map((name) => [configured(name), servers.get(name)]))
  const aggregator = createAggregator({
    servers: [...byName.keys()].map((name) => ({
      ...{ name, type: 'stdio', command: '-', args: [], env: {}, variables: [] },
      ...{ timeoutMs: 10_000, startTimeoutMs: 10_000, idleMs: 0, isolate: false },
    })),
    connect: async ({ server }) => serverOf(byName.get(server.name)),
    // Definitions of sets are not what a server would say.
    trust: { pin: false, scan: false },
  })
  await aggregator.receipt()
  const list = async (mode) => {
    const tools = []
    for (let cursor; ; ) {
      const page = await aggregator.request({ method: 'tools/list', params: { cursor } }, { mode })
      tools.push(...page.tools)
      cursor = page.nextCursor
      if (cursor === undefined) return tools
    }
  }
  const call = async (name, args, mode = 'meta') => {
    const params = { name, arguments: args }
    const { content } = await aggregator.request({ method: 'tools/call', params }, { mode })
    return content.map(({ text = '' }) => text).join('\n')
  }
  return { list, call, close: () => aggregator.close() }
}

const definitionOf = (server, tool) => servers.get(server)?.find(({ name }) => name === tool)
const listed = (server, { name, description, inputSchema }) => ({
  ...{ name: `mcp__${configured(server)}__${name}`, description, input_schema: inputSchema },
})

/** Names that the search of the harness found: what a client's own search would have loaded. */
const foundBy = ({ text }) =>
  [...text.matchAll(/server_name: (.+)\n\s*tool_name: (.+)/g)].map(([, server, tool]) => [
    server.trim(),
    tool.trim(),
  ])

const queryOf = ({ args }) =>
  String(args.query ?? '')
    .replace(/<\/?tool_assistant>|^(?:server|tool):/gm, ' ')
    .trim()

/** Whole results, and all definitions at the start. */
const native = (names) => ({
  list: names.flatMap((server) => servers.get(server).map((tool) => listed(server, tool))),
  search: undefined,
  reply: async ({ text }) => [text],
})

/** A client that is given names, and loads the definitions that its search finds. */
const deferring = (names) => ({
  list: names.flatMap((server) =>
    servers.get(server).map(({ name }) => `mcp__${configured(server)}__${name}`),
  ),
  search: async (reply) =>
    foundBy(reply).flatMap(([server, tool]) => {
      const found = definitionOf(server, tool)
      return found ? [listed(server, found)] : []
    }),
  reply: async ({ text }) => [text],
})

/** A reply, and the page that it names if it lacks something that is used later. */
async function withNext(open, reply, text, isNoted) {
  const [, next] = /^\[more: read_more\((\{.*?\})\)/m.exec(text) ?? []
  const pieces = piecesOf(text)
  const isLacking = next && reply.used.some((piece) => !pieces.has(piece))
  if (isNoted) Object.assign(reply, { isPaged: Boolean(next), isLacking })
  return isLacking ? [text, await open.call('read_more', JSON.parse(next))] : [text]
}

const pith = (open, list, selects) => ({
  list,
  search: (reply) => open.call('search_tools', { query: queryOf(reply) }),
  /** What a call needs that no search has shown: once for each server, as the instructions say. */
  schema: (server) => open.call('get_module_schema', { server: configured(server) }),
  reply: async (reply) => {
    const { server_name: server, tool_name: tool } = reply.args
    answer = reply.text
    const given = { server: configured(server), tool, arguments: reply.params }
    const first = await open.call('call', given)
    const [, next] = /^\[more: read_more\((\{.*?\})\)/m.exec(first) ?? []
    const select = next && selects ? fieldsOf(reply) : undefined
    const text = select ? await open.call('call', { ...given, select }) : first
    return withNext(open, reply, text, !selects)
  },
})

/** Under the servers' own definitions, as a client calls them. */
const pithFull = (open, list) => ({
  list: list.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  })),
  search: undefined,
  reply: async (reply) => {
    const { server_name: server, tool_name: tool } = reply.args
    answer = reply.text
    const whole = `${configured(server)}__${tool}`
    // Long names are cut in the list.
    const { name } = list.find(
      ({ name }) => name === whole || whole.startsWith(name.slice(0, -6)),
    ) ?? { name: whole }
    return withNext(open, reply, await open.call(name, reply.params, 'full'))
  },
})

/** Tokens of all requests of a task, and how many there are. */
async function carriedBy(way, { steps, preamble: own = preamble }) {
  const resident = own + (way.list.length > 0 ? tokens(way.list) : 0)
  const shown = []
  let held = 0
  let carried = 0
  let requests = 0
  const request = () => {
    requests++
    carried += resident + held
  }
  for (const { asked, written, replies } of steps) {
    const calls = way.search ? replies : replies.filter(({ name }) => name !== 'route')
    held += tokens(asked)
    // A turn that only searched is not needed where all definitions are there.
    if (calls.length === 0 && replies.length > 0) continue
    for (const { name, args } of calls) {
      const { server_name: server, tool_name: tool } = args
      if (name === 'route' || !way.schema) continue
      const isShown = shown.some(
        (text) => text === server || text.includes(`${configured(server)}.${tool}(`),
      )
      if (isShown) continue
      request()
      held += tokens(await way.schema(server)) + tokens({ server })
      shown.push(server)
    }
    request()
    held += tokens(written)
    for (const reply of calls) {
      if (reply.name === 'route') {
        const found = await way.search(reply)
        shown.push(typeof found === 'string' ? found : '')
        held += tokens(found)
        continue
      }
      const [first, ...more] = await way.reply(reply)
      held += tokens(first)
      for (const text of more) {
        request()
        held += tokens(text)
      }
    }
  }
  return { carried, requests, list: resident - own }
}

const usedBy = ({ steps }) => [
  ...new Set(
    steps
      .flatMap(({ replies }) => replies.map(({ args }) => args.server_name))
      .filter((name) => servers.has(name)),
  ),
]
const own = tasks.filter((task) => usedBy(task).length > 0)
for (const task of own)
  for (const step of task.steps)
    step.replies = step.replies.filter(
      ({ name, args }) => name === 'route' || definitionOf(args.server_name, args.tool_name),
    )

const totals = new Map()
const note = (table, way, values) => {
  const key = `${table}\n${way}`
  totals.set(key, [...(totals.get(key) ?? []), values])
}

async function measure(table, names, task, open, lists) {
  const ways = {
    'native, all definitions': native(names),
    'native, definitions on demand': deferring(names),
    'Pith, full': pithFull(open, lists.full),
    'Pith, meta': pith(open, lists.meta),
    'Pith, meta, fields selected': pith(open, lists.meta, true),
  }
  for (const [name, way] of Object.entries(ways)) note(table, name, await carriedBy(way, task))
}

const all = [...servers.keys()]
const openAll = await openPith(all)
const listsOf = async (open) => ({ meta: await open.list('meta'), full: await open.list('full') })
const listsOfAll = await listsOf(openAll)
for (const [at, task] of own.entries()) {
  const names = usedBy(task)
  const open = await openPith(names)
  await measure('the servers of the task', names, task, open, await listsOf(open))
  await open.close()
  await measure('all 70 servers', all, task, openAll, listsOfAll)
  if (process.stderr.isTTY) process.stderr.write(`\r${at + 1} of ${own.length}`)
}
await openAll.close()

// tokbench has no definitions: natively its tools cost nothing, and behind Pith what Pith lists.
const runs = (readTokbench(tokbench) ?? []).filter(({ arm }) => arm === 'a0')
const sessions = runs.flatMap((run) => run.sessions)
if (sessions.length > 0) {
  const names = [...new Set(sessions.flatMap(toolsIn))]
  servers.set(
    'tokbench',
    names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  )
  const open = await openPith(['tokbench'])
  const lists = await listsOf(open)
  for (const session of sessions) {
    const task = readTask({ task_id: session.name, messages: messagesOf(session) })
    const first = session.messages.find(({ role }) => role === 'assistant')
    const own = first.usage.input + first.usage.cacheRead + first.usage.cacheWrite
    task.preamble = Math.max(0, own - tokens(session.prompt ?? ''))
    await measure('tokbench', [], task, open, { meta: lists.meta, full: [] })
  }
  await open.close()
}

/** How often first pages came, and were not enough. */
const allResults = own.flatMap(({ results }) => results)
printTable(
  'Results of the tasks',
  ['', 'results'],
  [
    ['all', allResults.length],
    ['as a first page', allResults.filter(({ isPaged }) => isPaged).length],
    ['whose next page was needed', allResults.filter(({ isLacking }) => isLacking).length],
  ],
)

const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0)
const valuesOf = (table, way) => totals.get(`${table}\n${way}`)
/** What native requests would have to carry in definitions to cost as much as `Pith, meta`. */
const few = valuesOf('the servers of the task', 'native, all definitions')
const apart = sum(few, ({ carried, requests, list }) => carried - requests * list)
const requests = sum(few, (row) => row.requests)
const ownList = sum(few, (row) => row.requests * row.list) / requests
const evenAt = (table) =>
  (sum(valuesOf(table, 'Pith, meta'), ({ carried }) => carried) - apart) / requests
printTable(
  'From which size of definitions on Pith, meta costs less than all definitions',
  ['', 'tokens of definitions'],
  [
    ['the servers of a task, a request', Math.round(ownList)],
    [
      'even with Pith, meta, for the servers of a task',
      Math.round(evenAt('the servers of the task')),
    ],
    ['even with Pith, meta, for 70 servers', Math.round(evenAt('all 70 servers'))],
  ],
)
for (const table of new Set([...totals.keys()].map((key) => key.split('\n')[0]))) {
  const ways = [...totals].filter(([key]) => key.startsWith(`${table}\n`))
  const baseline = ways[0][1]
  const rows = ways.map(([key, values]) => {
    const carried = sum(values, (row) => row.carried)
    const count = values.length
    const change = (carried / sum(baseline, (row) => row.carried) - 1) * 100
    const dearer = values.filter((row, at) => row.carried > baseline[at].carried).length
    const more = sum(values, (row) => row.requests) - sum(baseline, (row) => row.requests)
    return {
      change,
      cells: [
        key.split('\n')[1],
        Math.round(carried / count).toLocaleString('en-US'),
        change.toFixed(1).replace('-', '−'),
        (more / count).toFixed(2),
        `${dearer} of ${count}`,
      ],
    }
  })
  printTable(
    table,
    ['', `tokens a task, ${table}`, `%, ${table}`, 'requests more', 'dearer in'],
    rows.sort((a, b) => b.change - a.change).map(({ cells }) => cells),
  )
}
