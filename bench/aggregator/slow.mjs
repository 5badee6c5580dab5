// What a call over Streamable HTTP costs whose tool needs some time: CPU milliseconds a call and MB
// of RSS of the aggregator, 64 calls in flight, both revisions, by turns; the least of the rounds.
//   node slow.mjs [main.js of a build …]   --rounds N, 3
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort, processorTime, residentMemory, wait } from './processes.mjs'

const inFlight = 64
const delays = [0, 20, 60, 200, 2_000]
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const builds =
  positionals.length > 0 ? positionals : [here('../../apps/aggregator-mcp/dist/main.js')]
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })

async function open(main, home, era) {
  const port = await freePort()
  const config = join(home, 'config.json')
  const echo = { command: process.execPath, args: [here('echo-server.mjs')] }
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { echo }, aggregator: { trust: { new: 'allow' } } }),
  )
  const env = { ...process.env, XDG_CACHE_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home }
  const args = [main, '--config', config, '--http', String(port), '--mode', 'full']
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const modern = era === '2026'
  let last = 0
  const post = (message) =>
    new Promise((resolve, reject) => {
      const { method, params = {} } = message
      const own = modern
        ? {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(params.name && { 'mcp-name': params.name }),
          }
        : {}
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const body = JSON.stringify({
        jsonrpc: '2.0',
        ...message,
        ...(modern && { params: { ...params, _meta: meta } }),
      })
      const options = { agent, method: 'POST', headers: { ...headers, ...own } }
      const outgoing = request(`http://127.0.0.1:${port}/mcp`, options, (response) => {
        let text = ''
        response.on('data', (data) => {
          text += data
        })
        response.on('end', () => resolve({ response, text }))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  for (let left = 200; ; left--)
    try {
      await post({ id: ++last, method: 'ping' })
      break
    } catch (error) {
      if (left === 0) throw error
      await wait(50)
    }
  if (!modern) {
    const clientInfo = { name: 'bench', version: '0' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const { response } = await post({ id: ++last, method: 'initialize', params })
    headers['mcp-session-id'] = response.headers['mcp-session-id']
    headers['mcp-protocol-version'] = '2025-11-25'
    await post({ method: 'notifications/initialized' })
  }
  await post({ id: ++last, method: 'tools/list' })
  return {
    pid: child.pid,
    async call(ms) {
      const params = { name: 'echo__echo', arguments: { message: 'bench', ms } }
      const { text } = await post({ id: ++last, method: 'tools/call', params })
      if (!text.includes('bench')) throw new Error(text.slice(0, 300))
    },
    close: () => child.kill(),
  }
}

async function measured({ pid, call }, ms) {
  const calls = ms >= 1_000 ? 3 * inFlight : ms >= 200 ? 12 * inFlight : 40 * inFlight
  let left = calls
  const work = async () => {
    while (left-- > 0) await call(ms)
  }
  const before = processorTime(pid)
  await Promise.all(Array.from({ length: inFlight }, work))
  return { cpu: (processorTime(pid) - before) / calls, memory: residentMemory(pid) }
}

console.log(`| build | revision | ${delays.map((ms) => `${ms} ms`).join(' | ')} |`)
for (const era of ['2025', '2026']) {
  const home = mkdtempSync(join(tmpdir(), 'slow-'))
  const servers = []
  try {
    for (const main of builds)
      servers.push(await open(main, mkdtempSync(join(home, 'build-')), era))
    for (const server of servers) for (let at = 0; at < 10; at++) await measured(server, 0)
    const cells = servers.map(() => [])
    for (const ms of delays) {
      const rounds = servers.map(() => [])
      for (let round = 0; round < Number(values.rounds); round++)
        for (const [at, server] of servers.entries()) rounds[at].push(await measured(server, ms))
      for (const [at, results] of rounds.entries()) {
        const cpu = Math.min(...results.map((one) => one.cpu))
        cells[at].push(
          `${cpu.toFixed(3)} (${Math.max(...results.map((one) => one.memory)).toFixed(0)})`,
        )
      }
    }
    for (const [at, main] of builds.entries())
      console.log(`| ${main} | ${era} | ${cells[at].join(' | ')} |`)
  } finally {
    for (const server of servers) server.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
agent.destroy()
