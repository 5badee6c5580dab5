import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { sharedProcesses } from '../../running/shared-processes.ts'
import type { Combination, Upstream } from './combinations.ts'
import { readSpyLog, type SpyLog, until } from './spy-log.ts'

export interface Command {
  command: string
  args: string[]
  env?: Record<string, string>
}

/** How a server is reached: by starting it or at an address. */
export type Endpoint = Command | { type: 'http'; url: string }

export interface Spy {
  endpoint: Endpoint
  log: SpyLog
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../spy-server.mjs', import.meta.url))
const built = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
/** Another build, or a broken one that the rig has to find fault with. */
const aggregator = process.env['FIDELITY_MAIN'] ?? built

/** The long tier is relayed by a shared process. */
const isShared = process.env['LONG'] === '1'

export const aggregatorIsBuilt = () => existsSync(aggregator)

const node = (...args: string[]): Command => ({ command: process.execPath, args })

async function end(child: ChildProcess | undefined) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}

/** A spy at an address comes back when it has crashed, as a service would. */
async function keepListening(era: string, log: string) {
  let port = 0
  let child: ChildProcess | undefined
  let stopping = false
  const start = async () => {
    const args = [program, '--era', era, '--http', String(port), '--log', log]
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.once('exit', () => {
      if (!stopping) void start()
    })
    const [said] = await once(child.stdout ?? child, 'data')
    port = Number(String(said).split(' ')[1])
  }
  await start()
  const stop = () => {
    stopping = true
    return end(child)
  }
  return { url: `http://127.0.0.1:${port}/mcp`, stop }
}

export async function startSpy({ era, transport }: Upstream): Promise<Spy> {
  const folder = mkdtempSync(join(tmpdir(), 'spy-'))
  const file = join(folder, 'log.jsonl')
  const log = readSpyLog(file)
  const clean = () => rmSync(folder, { recursive: true, force: true })
  if (transport === 'stdio') {
    const endpoint = node(program, '--era', era, '--stdio', '--log', file)
    return { endpoint, log, stop: async () => clean() }
  }
  const { url, stop } = await keepListening(era, file)
  return { endpoint: { type: 'http', url }, log, stop: () => stop().then(clean) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const answersAt = (port: number) =>
  until(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  }, 10_000)

/** The aggregator with the spy as its only server, to be started by its client or at an address. */
export async function openAggregator(
  spy: Endpoint,
  mode: 'full' | 'meta',
  { endpoint }: Pick<Combination, 'endpoint'>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'aggregator-'))
  const config = join(folder, 'config.json')
  const trust = { new: 'allow' }
  // Over HTTP, servers ask by forms alone unless they may do more.
  const entry = endpoint === 'http' ? { ...spy, asks: ['form', 'url', 'sampling', 'roots'] } : spy
  writeFileSync(config, JSON.stringify({ mcpServers: { spy: entry }, aggregator: { trust } }))
  const clean = () => rmSync(folder, { recursive: true, force: true })
  const args = [aggregator, '--config', config, '--mode', mode, '--state', join(folder, 'state')]
  if (endpoint === 'stdio') {
    if (!isShared) return { endpoint: node(...args, '--no-share'), stop: async () => clean() }
    const stop = async () => {
      // A shared process writes until it has seen that its socket is gone.
      rmSync(join(folder, 'pith'), { recursive: true, force: true })
      await until(() => expect(sharedProcesses(folder)).toEqual([]))
      clean()
    }
    return { endpoint: { ...node(...args), env: { XDG_RUNTIME_DIR: folder } }, stop }
  }
  const port = await freePort()
  const child = spawn(process.execPath, [...args, '--http', `127.0.0.1:${port}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const url = `http://127.0.0.1:${port}/mcp`
  const stop = () => end(child).then(clean)
  await answersAt(port).catch(async (error) => {
    await stop()
    throw error
  })
  return { endpoint: { type: 'http' as const, url }, stop }
}
