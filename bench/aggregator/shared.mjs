// What the shared process costs and saves: sessions of one user over stdio, each of which calls each
// server, with one process for all of them and with --no-share. Prints processes and resident memory
// of all that was started, the processor time of a start next to that of `node -e 0`, and that of a
// call with 16 in flight, in pairs (Linux).
//   node shared.mjs [--sessions 20] [--servers 10] [--rounds 5]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStdio } from './channels.mjs'
import {
  commandLineOf,
  createHome,
  processesOf,
  processorTime,
  removeHome,
  residentMemory,
  start,
  wait,
} from './processes.mjs'
import { median, printTable } from './report.mjs'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20' },
    servers: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
  },
})
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const main = path('../../apps/aggregator-mcp/dist/main.js')
const names = Array.from({ length: Number(values.servers) }, (_, at) => `s${at}`)
const clientInfo = { name: 'bench', version: '0' }

async function open(home, share) {
  const args = [main, '--config', join(home, 'mcp.json'), '--state', join(home, share)]
  const env = { XDG_RUNTIME_DIR: join(home, 'run'), AGGREGATOR_MCP_SHARE: share }
  const child = start({ command: process.execPath, args, env }, home, ['pipe', 'pipe'])
  const channel = openStdio(child)
  let id = 0
  const ask = (method, params) => channel.exchange({ jsonrpc: '2.0', id: ++id, method, params })
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  channel.tell({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const call = (module) =>
    ask('tools/call', {
      name: 'call',
      arguments: { module, tool_name: 'echo', params: { message: 'x' } },
    })
  return { child, call }
}

function newHome() {
  const home = createHome()
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
  const mcpServers = Object.fromEntries(names.map((name) => [name, echo]))
  const aggregator = { trust: { new: 'allow' } }
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers, aggregator }))
  return home
}

async function sessions(share) {
  const home = newHome()
  for (let left = Number(values.sessions); left > 0; left--) {
    const { call } = await open(home, share)
    for (const name of names) await call(name)
  }
  const pids = processesOf(home)
  const memory = pids.reduce((sum, pid) => sum + residentMemory(pid), 0)
  removeHome(home)
  return [share, pids.length, memory.toFixed(0)]
}

/** Processor time of a call in all processes of ours, in µs. */
async function calls(share) {
  const home = newHome()
  const { call } = await open(home, share)
  for (let left = 300; left > 0; left--) await call('s0')
  const own = processesOf(home).filter((pid) => commandLineOf(pid).includes('main.js'))
  const total = () => own.reduce((sum, pid) => sum + processorTime(pid), 0)
  const before = total()
  let left = 6_000
  const work = async () => {
    while (left-- > 0) await call('s0')
  }
  await Promise.all(Array.from({ length: 16 }, work))
  const spent = total() - before
  removeHome(home)
  return spent / 6
}

/** Processor time and memory of a start that joins a shared process, and of Node alone. */
async function starts() {
  const home = newHome()
  const first = await open(home, 'on')
  await first.call('s0')
  const next = await open(home, 'on')
  const idle = start(
    { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] },
    home,
    ['ignore', 'ignore'],
  )
  await wait(1_000)
  const of = (child) => [processorTime(child.pid), residentMemory(child.pid).toFixed(0)]
  const rows = [
    ['a session more', ...of(next.child)],
    ['node -e 0', ...of(idle)],
  ]
  removeHome(home)
  return rows
}

printTable(
  `${values.sessions} sessions, ${names.length} servers`,
  ['share', 'processes', 'MB RSS'],
  [await sessions('on'), await sessions('off')],
)
printTable('A start', ['start', 'CPU ms', 'MB RSS'], await starts())
const pairs = []
for (let round = Number(values.rounds); round > 0; round--) {
  const [on, off] = [await calls('on'), await calls('off')]
  pairs.push({ on, off, ratio: on / off })
}
printTable(
  'Calls, 16 in flight',
  ['', 'µs CPU shared', 'µs CPU alone', 'ratio'],
  [
    [
      'median',
      ...['on', 'off', 'ratio'].map((of) =>
        median(pairs.map((pair) => pair[of])).toFixed(of === 'ratio' ? 2 : 0),
      ),
    ],
  ],
)
