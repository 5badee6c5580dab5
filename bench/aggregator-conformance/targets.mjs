import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The everything server of the SDK's repository, compiled; it takes its port from `PORT`. */
const everything = process.env.BENCH_EVERYTHING
export const legs = everything
  ? ['direct', 'through http']
  : ['direct', 'through stdio', 'through http']

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
export const built = path('../../apps/aggregator-mcp/dist/main.js')

/** How a server is started over HTTP and stdio, and what its list shows when it is ready. */
const fixture = {
  http: (port) => (everything ? [everything] : [path('fixture-server.mjs'), '--http', port]),
  stdio: () => [path('fixture-server.mjs'), '--stdio'],
  list: 'tools/list',
  shows: '"test_simple_text"',
}

/** Starts what a leg needs, in a folder of its own. */
export async function start(leg, folder, aggregator = built, tested = fixture) {
  if (leg !== 'direct' && !existsSync(aggregator)) {
    throw new Error(`There is no aggregator at ${aggregator}: build it, or name another.`)
  }
  mkdirSync(folder, { recursive: true })
  const children = []
  const target = {
    died: () => children.map((child) => child.death()).find(Boolean),
    stop: () => Promise.all(children.map((child) => child.stop())),
  }
  try {
    target.url = await open(leg, folder, aggregator, tested, children)
    return target
  } catch (error) {
    await target.stop()
    throw error
  }
}

async function open(leg, folder, aggregator, tested, children) {
  const startTested = async () => {
    const url = await freeUrl()
    const { port } = new URL(url)
    children.push(run(tested.http(port), { PORT: port }))
    await ready(url, children, tested)
    return url
  }
  if (leg === 'direct') return startTested()
  const server =
    leg === 'through stdio'
      ? { command: process.execPath, args: tested.stdio(aggregator) }
      : { type: 'http', url: await startTested() }

  const config = join(folder, 'mcp.json')
  const settings = { trust: { new: 'allow' } }
  // Over HTTP a server asks by forms alone, unless it is trusted with more.
  const entry = { ...server, asks: ['form', 'url', 'sampling', 'roots'] }
  writeFileSync(config, JSON.stringify({ mcpServers: { tested: entry }, aggregator: settings }))
  const url = await freeUrl()
  const options = ['--config', config, '--mode', 'full', '--no-prefix']
  const places = ['--state', join(folder, 'state'), '--http', new URL(url).host]
  children.push(run([aggregator, ...options, ...places]))
  await ready(url, children, tested)
  return url
}

function run(args, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  const closed = once(child, 'close')
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (data) => {
    told = (told + data).slice(-2000)
  })
  const gone = () => child.exitCode !== null || child.signalCode !== null
  return {
    told: () => told,
    death: () => (gone() ? `${args[0]} ended by itself:\n${told}` : undefined),
    async stop() {
      if (gone()) return
      child.kill()
      const forced = setTimeout(() => child.kill('SIGKILL'), 5000)
      await closed
      clearTimeout(forced)
    },
  }
}

async function freeUrl() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/mcp`
}

/** Waits until the list shows what it must: an aggregator may listen before it has it. */
async function ready(url, children, { list, shows }) {
  const deadline = Date.now() + 30_000
  let last = 'nothing'
  while (Date.now() < deadline) {
    const dead = children.map((child) => child.death()).find(Boolean)
    if (dead) throw new Error(dead)
    last = await request(url, list).catch((error) => String(error.cause ?? error))
    if (last.includes(shows)) return
    await wait(100)
  }
  const told = children.map((child) => child.told()).join('\n')
  throw new Error(`${url} does not list ${shows}; its last answer: ${last}\n${told}`)
}

async function request(url, method) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
    signal: AbortSignal.timeout(5000),
  })
  return response.text()
}
