// How long the first search takes after a start with 9,000 tools of 225 servers in the catalog: at
// once, and 1.5 s after the first list. The first run of all starts each server once.
//   node first-search.mjs [starts of each kind, 3]
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const starts = Number(process.argv[2] ?? 3)
const home = mkdtempSync(join(tmpdir(), 'bench-first-search-'))
const servers = Array.from({ length: 225 }, (_, at) => [
  `s${at}`,
  { command: process.execPath, args: [path('many-tools.mjs'), String((at % 3) * 40), '40'] },
])
const file = join(home, 'mcp.json')
const aggregator = { trust: { new: 'allow' } }
writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(servers), aggregator }))

function open(mode) {
  const main = path('../../apps/aggregator-mcp/dist/main.js')
  const args = [main, '--config', file, '--mode', mode, '--state', join(home, 'state')]
  const env = { ...process.env, AGGREGATOR_MCP_SHARE: 'off', HOME: home }
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: home, env })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...message } = JSON.parse(line)
    waiting.get(id)?.(message)
  })
  let id = 0
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      send({ id, method, params })
    })
  return { child, send, ask }
}

async function measure(mode, restMs) {
  const started = performance.now()
  const { child, send, ask } = open(mode)
  const clientInfo = { name: 'bench', version: '0' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  await ask('tools/list')
  const listed = performance.now() - started
  await wait(restMs)
  const asked = performance.now()
  await ask('tools/call', { name: 'search_tools', arguments: { query: 'create an invoice' } })
  const searched = performance.now() - asked
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024
  child.stdin.end()
  await new Promise((resolve) => child.once('close', resolve))
  return [listed, searched, rss].map((figure) => Math.round(figure))
}

// The catalog is kept for the next starts.
await measure('list', 30_000)
console.log('| after the list, ms | list, ms | first search, ms | RSS, MB |\n|---|---|---|---|')
for (let start = 0; start < starts; start++)
  for (const restMs of [0, 1_500])
    console.log(`| ${[restMs, ...(await measure('meta', restMs))].join(' | ')} |`)
rmSync(home, { recursive: true, force: true })
