// What open consoles cost the calls of clients: 1,000 calls a second over HTTP, with and without a
// hundred consoles watching, in turns.
//   node console.mjs [--seconds 60] [--rate 1000] [--consoles 100] [--turn 10]
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { processorTime, residentMemory } from './processes.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '1000' },
    consoles: { type: 'string', default: '100' },
    turn: { type: 'string', default: '10' },
  },
})
const rate = Number(values.rate)
const turnMs = Number(values.turn) * 1_000
const turns = Math.ceil(Number(values.seconds) / Number(values.turn))
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const main = path('../../apps/aggregator-mcp/dist/main.js')

const home = mkdtempSync(join(tmpdir(), 'bench-console-'))
const config = join(home, 'mcp.json')
const echo = { command: process.execPath, args: [path('echo-server.mjs')] }
writeFileSync(
  config,
  JSON.stringify({ mcpServers: { echo }, aggregator: { trust: { new: 'allow' } } }),
)
const own = ['--config', config, '--state', join(home, 'state')]
const child = spawn(process.execPath, [main, ...own, '--http', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
})
let said = ''
child.stderr.setEncoding('utf8').on('data', (text) => {
  said += text
})
while (!said.includes('console at ')) await new Promise((resolve) => setTimeout(resolve, 20))
const { origin } = new URL(/serving (\S+)/.exec(said)[1])

/** Clients that share a few connections. */
const agent = new Agent({ keepAlive: true, maxSockets: 32 })
const post = (body, session) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...body })
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    }
    const sent = ask(`${origin}/mcp`, { method: 'POST', headers, agent }, (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (part) => {
        answer += part
      })
      response.on('end', () => resolve({ answer, headers: response.headers }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(text)
  })

const clients = []
for (let index = 0; index < 16; index++) {
  const { headers } = await post({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: `bench ${index}`, version: '1' },
    },
  })
  const session = headers['mcp-session-id']
  await post({ method: 'notifications/initialized' }, session)
  clients.push(session)
}

let calls = 0
let lost = 0
async function callOnce(times) {
  const id = ++calls
  const message = `bench ${id}`
  const params = {
    name: 'call',
    arguments: { module: 'echo', tool_name: 'echo', params: { message } },
  }
  const started = performance.now()
  const { answer } = await post({ id, method: 'tools/call', params }, clients[id % clients.length])
  times.push(performance.now() - started)
  if (!answer.includes(`"${message}"`)) lost++
}

/** So many calls a second, whether those before have their answers or not. */
async function load(ms) {
  const times = []
  const open = new Set()
  const started = performance.now()
  for (let made = 0; ; ) {
    const elapsed = performance.now() - started
    if (elapsed >= ms) break
    for (; made < (elapsed * rate) / 1_000; made++) {
      const call = callOnce(times).catch(() => lost++)
      open.add(call)
      void call.finally(() => open.delete(call))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(open)
  times.sort((one, other) => one - other)
  const at = (share) => times[Math.floor(times.length * share)]
  return { calls: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

async function openConsoles() {
  const link = execFileSync(process.execPath, [main, 'console', '--print', ...own], {
    encoding: 'utf8',
  }).trim()
  const signedIn = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code: new URL(link).hash.slice('#code='.length) }),
  })
  const cookie = signedIn.headers.get('set-cookie').split(';', 1)[0]
  const { proof } = await signedIn.json()
  const watching = fork(path('console-watchers.mjs'), [origin, cookie, proof, values.consoles])
  let last = { events: 0, failed: 0 }
  watching.on('message', (message) => {
    last = message
  })
  while (last.events < Number(values.consoles))
    await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    async close() {
      watching.kill()
      await once(watching, 'exit')
      return last
    },
  }
}

await load(3_000)
const rows = []
let failed = 0
for (let turn = 0; turn < turns; turn++)
  for (const isWatched of turn % 2 === 0 ? [false, true] : [true, false]) {
    const consoles = isWatched ? await openConsoles() : undefined
    const spent = processorTime(child.pid)
    const row = { isWatched, ...(await load(turnMs)), memory: residentMemory(child.pid) }
    // Of the aggregator alone, in ms of each second.
    row.cpu = (processorTime(child.pid) - spent) / (turnMs / 1_000)
    const seen = await consoles?.close()
    failed += seen?.failed ?? 0
    rows.push({ ...row, events: seen?.events })
  }

console.log(`${rate} calls/s over HTTP, ${turns} turns of ${values.turn} s each way\n`)
console.log('| consoles | calls | CPU ms/s | p50 ms | p95 ms | p99 ms | RSS MB | events |')
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const { isWatched, calls: made, p50, p95, p99, memory, cpu, events = '' } of rows)
  console.log(
    `| ${isWatched ? values.consoles : 'none'} | ${made} | ${cpu.toFixed(0)} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${p99.toFixed(2)} | ${memory.toFixed(0)} | ${events} |`,
  )
const middle = (isWatched, of) => {
  const all = rows.filter((row) => row.isWatched === isWatched).map((row) => row[of])
  return all.sort((one, other) => one - other)[Math.floor(all.length / 2)]
}
for (const of of ['p95', 'cpu'])
  console.log(`${of} with consoles / without: ${(middle(true, of) / middle(false, of)).toFixed(3)}`)
console.log(`${calls} calls, ${lost} lost; ${failed} requests of consoles failed`)
agent.destroy()
child.kill()
await once(child, 'exit')
rmSync(home, { recursive: true, force: true })
process.exit()
