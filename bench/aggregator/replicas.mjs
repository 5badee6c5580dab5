// What replicas cost: a call over HTTP with the state in files, and in PostgreSQL (durable) and Redis;
// then one, two and four replicas behind a round-robin proxy. Linux; PostgreSQL and Redis installed.
//   node replicas.mjs [--rounds N, 5] [--calls N, 500] [--only calls | load | start]
//   node replicas.mjs --only start --before MAIN      beside the main.js of another build
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStdio, openStreamable } from './channels.mjs'
import { startPostgres, startRedis } from './engines.mjs'
import {
  createHome,
  freePort,
  processorTime,
  removeHome,
  residentMemory,
  start,
  stop,
  wait,
} from './processes.mjs'
import { at, interleave, median, printTable, rowsOf } from './report.mjs'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))
/** Another build of it can be named, as to compare two. */
const main = process.env.AGGREGATOR_MCP ?? path('../../apps/aggregator-mcp/dist/main.js')
const inFlight = 16
const windowMs = 3_000
const legacy = '2025-11-25'
const modern = '2026-07-28'

/** In a process of its own: each request to the next replica, streams and all. */
function serveProxy(ports) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const port = ports[turn++ % ports.length]
    const { method, headers, url } = incoming
    const forwarded = request({ agent, port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1', () => process.send(server.address().port))
}

async function startProxy(ports) {
  const child = fork(path('replicas.mjs'), ['--proxy', ports.join()])
  const port = await new Promise((resolve) => child.once('message', resolve))
  return { port, close: () => child.kill() }
}

async function startReplica({ engines, journal, key }) {
  const home = createHome()
  const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
  const aggregator = { trust: { new: 'allow' }, ...(!journal && { journal: false }) }
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { echo }, aggregator }))
  const port = await freePort()
  const args = [main, '--config', `${home}/mcp.json`, '--state', `${home}/state`]
  const env = engines && {
    PITH_DATABASE_URL: engines.postgres.url,
    PITH_REDIS_URL: engines.redis.url,
    PITH_CLUSTER_KEY: key,
    PITH_REPLICA_URL: `http://127.0.0.1:${port}`,
  }
  const command = { command: process.execPath, args: [...args, '--http', `${port}`], env }
  const child = start(command, home, ['ignore', 'ignore'])
  async function close() {
    await stop(child)
    removeHome(home)
  }
  return { child, port, close }
}

/** A client that is ready: its server has answered. */
async function connect(port, era) {
  const channel = openStreamable(`http://127.0.0.1:${port}/mcp`)
  let id = 0
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  async function ask(method, params) {
    const sent = era === modern ? { ...params, _meta: envelope } : params
    const answer = await channel.exchange({ jsonrpc: '2.0', id: ++id, method, params: sent })
    if (answer.error) throw new Error(answer.error.message)
    return answer.result
  }
  async function call() {
    const message = `bench ${id}`
    const args = { module: 'echo', tool_name: 'echo', params: { message } }
    const { content } = await ask('tools/call', { name: 'call', arguments: args })
    if (content?.[0]?.text !== message) throw new Error(`Not the echo: ${content?.[0]?.text}`)
  }
  const clientInfo = { name: 'bench', version: '0' }
  for (let tries = 0; ; tries++)
    try {
      if (era === legacy) {
        await ask('initialize', { protocolVersion: legacy, capabilities: {}, clientInfo })
        await channel.tell({ jsonrpc: '2.0', method: 'notifications/initialized' })
      }
      await call()
      return { call, close: channel.close }
    } catch (error) {
      if (tries > 400) throw error
      await wait(25)
    }
}

async function load(clients) {
  const started = performance.now()
  let answered = 0
  const work = async (_, index) => {
    while (performance.now() - started < windowMs) {
      await clients[index % clients.length].call()
      answered++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return { answered, rate: (1_000 * answered) / (performance.now() - started) }
}

const signed = (number) => `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(2)}`

async function measureCalls(engines, { rounds, calls }) {
  const embedded = { name: 'files', journal: true }
  const contenders = [
    embedded,
    { name: 'files, no journal', journal: false },
    { name: 'PostgreSQL and Redis', journal: true, engines },
    { name: 'PostgreSQL and Redis, no journal', journal: false, engines },
  ]
  const key = randomBytes(32).toString('base64')
  const open = new Map()
  async function run(contender, round) {
    if (!open.has(contender)) {
      const replica = await startReplica({ ...contender, key })
      open.set(contender, { replica, client: await connect(replica.port, legacy) })
    }
    const { replica, client } = open.get(contender)
    const counts = () => [engines.postgres.statements(), engines.redis.commands()]
    const before = counts()
    const cpuBefore = processorTime(replica.child.pid)
    const times = []
    for (let index = 0; index < calls; index++) {
      const started = performance.now()
      await client.call()
      times.push(performance.now() - started)
    }
    const cpu = (processorTime(replica.child.pid) - cpuBefore) / calls
    const between = counts()
    const { answered, rate } = await load([client])
    const after = counts()
    const queries = (from, to, of) =>
      contender.engines ? to.map((count, index) => (count - from[index]) / of) : [0, 0]
    return {
      round,
      p50: at(times, 0.5),
      p95: at(times, 0.95),
      cpu,
      rate,
      single: queries(before, between, calls),
      many: queries(between, after, answered),
    }
  }
  try {
    const results = await interleave(contenders, rounds + 1, run)
    const base = results.get(embedded)
    const columns = [
      'state in',
      'p50 ms',
      'p95 ms',
      'over files, p50 ms',
      'CPU ms a call',
      `calls/s, ${inFlight} in flight`,
      'statements + commands a call',
      `with ${inFlight} in flight`,
    ]
    const rows = rowsOf(results, columns, (all, contender) => {
      // The first round is the warm-up.
      const counted = all.filter(({ round }) => round > 0)
      const middle = (of) => median(counted.map(of))
      const sum = (of) => [0, 1].map((index) => middle((one) => one[of][index]).toFixed(2))
      return [
        middle(({ p50 }) => p50).toFixed(2),
        middle(({ p95 }) => p95).toFixed(2),
        contender === embedded ? '' : signed(middle(({ round, p50 }) => p50 - base.all[round].p50)),
        middle(({ cpu }) => cpu).toFixed(2),
        middle(({ rate }) => rate).toFixed(0),
        sum('single').join(' + '),
        sum('many').join(' + '),
      ]
    })
    printTable(`A call, ${rounds} rounds of ${calls}`, columns, rows)
  } finally {
    for (const { client, replica } of open.values()) {
      client.close()
      await replica.close()
    }
  }
}

async function measureLoad(engines, { rounds }) {
  const contenders = [legacy, modern].flatMap((era) =>
    [undefined, 1, 2, 4].map((count) => ({
      name: `${count ?? 'files, 1'}, ${era}`,
      era,
      count: count ?? 1,
      engines: count && engines,
    })),
  )
  async function run({ era, count, engines: own }) {
    const key = randomBytes(32).toString('base64')
    const replicas = []
    const clients = []
    let proxy
    try {
      for (let index = 0; index < count; index++)
        replicas.push(await startReplica({ engines: own, journal: true, key }))
      for (const { port } of replicas) (await connect(port, modern)).close()
      proxy = await startProxy(replicas.map(({ port }) => port))
      for (let index = 0; index < 8; index++) clients.push(await connect(proxy.port, era))
      // Each replica warms up for as long as one alone.
      for (let index = 0; index < count; index++) await load(clients)
      const cpuOf = () => replicas.reduce((sum, { child }) => sum + processorTime(child.pid), 0)
      const before = cpuOf()
      const { answered, rate } = await load(clients)
      return { rate, perCpuSecond: (1_000 * answered) / (cpuOf() - before) }
    } finally {
      for (const client of clients) client.close()
      proxy?.close()
      for (const replica of replicas) await replica.close()
    }
  }
  const columns = ['replicas', 'calls/s', 'calls per CPU second of the replicas']
  const rows = rowsOf(await interleave(contenders, rounds, run), columns, (all) => [
    median(all.map(({ rate }) => rate)).toFixed(0),
    median(all.map(({ perCpuSecond }) => perCpuSecond)).toFixed(0),
  ])
  printTable(`Replicas behind a proxy, ${inFlight} calls in flight`, columns, rows)
}

/** Without engines: from the spawn to the list of tools over stdio, and RSS when it is idle. */
async function measureStart({ rounds, before }) {
  const contenders = [
    { name: 'this build', program: main },
    ...(before ? [{ name: 'the build before', program: before }] : []),
  ]
  async function run({ program }) {
    const home = createHome()
    const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
    writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { echo } }))
    const args = [program, '--config', `${home}/mcp.json`, '--state', `${home}/state`]
    const started = performance.now()
    const child = start({ command: process.execPath, args }, home, ['pipe', 'pipe'])
    const channel = openStdio(child)
    const clientInfo = { name: 'bench', version: '0' }
    const hello = { protocolVersion: legacy, capabilities: {}, clientInfo }
    await channel.exchange({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })
    channel.tell({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await channel.exchange({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })
    const ms = performance.now() - started
    await wait(5_000)
    const memory = residentMemory(child.pid)
    await stop(child)
    removeHome(home)
    return { ms, memory }
  }
  const columns = ['state in files', 'start, ms', 'fastest, ms', 'idle RSS, MB']
  const rows = rowsOf(await interleave(contenders, rounds, run), columns, (all) => [
    median(all.map(({ ms }) => ms)).toFixed(0),
    Math.min(...all.map(({ ms }) => ms)).toFixed(0),
    median(all.map(({ memory }) => memory)).toFixed(1),
  ])
  printTable(`Start over stdio, ${rounds} rounds`, columns, rows)
}

const { values } = parseArgs({
  options: {
    proxy: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '500' },
    only: { type: 'string' },
    before: { type: 'string' },
  },
})
if (values.proxy) serveProxy(values.proxy.split(',').map(Number))
else {
  const { only = '', before } = values
  const options = { rounds: Number(values.rounds), calls: Number(values.calls), before }
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`,
  )
  if (['', 'calls', 'load'].includes(only)) {
    const engines = { postgres: await startPostgres(), redis: await startRedis() }
    if (only !== 'load') await measureCalls(engines, options)
    if (only !== 'calls') await measureLoad(engines, options)
    await engines.postgres.close()
    await engines.redis.close()
  }
  if (['', 'start'].includes(only)) await measureStart(options)
  process.exit()
}
