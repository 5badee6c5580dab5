import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const oddServer = fileURLToPath(new URL('odd-server.mjs', import.meta.url))

export const odd = (...flags: string[]) => ({
  command: process.execPath,
  args: [oddServer, ...flags],
})

/** Writes a configuration into a folder of its own. New tools are allowed, also over HTTP. */
export function configure(mcpServers: object, more?: object) {
  const aggregator = { trust: { new: 'allow' }, ...more }
  const folder = mkdtempSync(join(tmpdir(), 'pith-aggregator-'))
  const config = join(folder, 'mcp.json')
  writeFileSync(config, JSON.stringify({ mcpServers, aggregator }))
  const args = [main, '--config', config, '--state', join(folder, 'state')]
  return {
    folder,
    config,
    args,
    // A process that ends may still write.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
  }
}

export interface Reply {
  id: number
  result?: { content?: { text?: string }[]; isError?: boolean; tools?: { name: string }[] }
  error?: { code: number; message: string }
}

/** An aggregator as a process, spoken to without an SDK. */
export async function startAggregator(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  stdio: readonly ('pipe' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe'],
  cwd?: string,
  clientName = 'test',
) {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    env,
    cwd,
    stdio: [...stdio],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const waiting = new Map<number, (reply: Reply) => void>()
  let ids = 0
  if (!child.stdout) throw new Error('no output')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  const write = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object = {}): Promise<Reply> => {
    const id = ++ids
    write({ id, method, params })
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: clientName, version: '0' },
  })
  write({ method: 'notifications/initialized' })
  return {
    child,
    request,
    write,
    stderr: () => stderr,
    /** A tool by `call`; its text, or what went wrong. */
    async call(module: string, tool_name: string, params: object = {}, account?: string) {
      const reply = await request('tools/call', {
        name: 'call',
        arguments: { module, tool_name, params, account },
      })
      return (
        reply.result?.content?.[0]?.text ?? `error ${reply.error?.code}: ${reply.error?.message}`
      )
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.stdin?.end()
      await once(child, 'exit')
    },
  }
}

/** An aggregator that listens on a free port. */
export async function startOverHttp(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [...args, '--http', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await until(() => said.includes('serving '))
  return {
    url: /serving (\S+)/.exec(said)?.[1] ?? '',
    stderr: () => said,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until it is so, and says how long that took, in milliseconds. */
export async function until(isTrue: () => boolean, limitMs = 20_000): Promise<number> {
  const started = performance.now()
  while (!isTrue()) {
    if (performance.now() - started > limitMs) throw new Error(`not within ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - started
}
