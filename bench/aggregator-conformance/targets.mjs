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
const fixture = path('fixture-server.mjs')
const built = path('../../apps/aggregator-mcp/dist/main.js')

/** Starts what a leg needs, in a folder of its own. */
export async function start(leg, folder, aggregator = built) {
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
    target.url = await open(leg, folder, aggregator, children)
    return target
  } catch (error) {
    await target.stop()
    throw error
  }
}

async function open(leg, folder, aggregator, children) {
  const startFixture = async () => {
    const url = await freeUrl()
    const { port } = new URL(url)
    children.push(run(everything ? [everything] : [fixture, '--http', port], { PORT: port }))
    await ready(url, children)
    return url
  }
  if (leg === 'direct') return startFixture()
  const server =
    leg === 'through stdio'
      ? { command: process.execPath, args: [fixture, '--stdio'] }
      : { type: 'http', url: await startFixture() }

  const config = join(folder, 'mcp.json')
  const settings = { trust: { new: 'allow' } }
  writeFileSync(config, JSON.stringify({ mcpServers: { fixture: server }, aggregator: settings }))
  const url = await freeUrl()
  const options = ['--config', config, '--mode', 'full', '--no-prefix']
  const places = ['--state', join(folder, 'state'), '--http', new URL(url).host]
  children.push(run([aggregator, ...options, ...places]))
  await ready(url, children)
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

/** Waits until the tools of the fixture are listed: an aggregator may listen before it has them. */
async function ready(url, children) {
  const deadline = Date.now() + 30_000
  let last = 'nothing'
  while (Date.now() < deadline) {
    const dead = children.map((child) => child.death()).find(Boolean)
    if (dead) throw new Error(dead)
    last = await listTools(url).catch((error) => String(error.cause ?? error))
    if (last.includes('"test_simple_text"')) return
    await wait(100)
  }
  const told = children.map((child) => child.told()).join('\n')
  throw new Error(`${url} lists no tools of the fixture; its last answer: ${last}\n${told}`)
}

async function listTools(url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
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
