import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'

const pages: Record<string, string> = {
  '/': '<nav><a href="/install">Install</a></nav><main><h1>Ferry</h1><p>Carries files.</p></main>',
  '/install': `<nav><a href="/">Home</a></nav><main><h1>Install</h1><p>Ferry runs anywhere.</p>
    <h2 id="linux">On Linux</h2><p>Run the installer.</p><pre>ferry-install --here</pre></main>`,
}

/** A site of two pages on loopback. */
export async function startSite(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '']
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

export interface RunOptions {
  cwd: string
  env?: Record<string, string>
  /** In milliseconds; then it is killed. */
  timeout: number
}

/** Run a program to its end: its exit code, and all that it printed. */
export function run(command: string, args: readonly string[], options: RunOptions) {
  const env = { ...process.env, ...options.env }
  const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = heard(child)
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: said() }))
  })
}

function heard({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  const hear = (part: Buffer): void => {
    output += part
  }
  stdout?.on('data', hear)
  stderr?.on('data', hear)
  return () => output
}

/** A server over HTTP, and where it says it serves. */
export async function serveHttp(main: string, args: readonly string[], env = {}) {
  const child = spawn(process.execPath, [main, '--http', '127.0.0.1:0', ...args], {
    cwd: dirname(main),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = heard(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async (): Promise<void> => {
    child.kill()
    await ended
  }
  for (let tries = 0; tries < 200; tries++) {
    const [, url] = /serving (http:\S+)/.exec(said()) ?? []
    if (url !== undefined) return { url, close }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await close()
  throw new Error(`${main} does not serve:\n${said()}`)
}

const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/

/** `npm install` in a folder; false if the registry cannot be reached. */
export async function install(cwd: string, packages: readonly string[] = []): Promise<boolean> {
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']
  const words = ['install', ...flags, ...packages]
  const { code, output } = await run('npm', words, { cwd, timeout: 240_000 })
  if (code === 0) return true
  if (unreachable.test(output)) return false
  throw new Error(`npm install in ${cwd} failed:\n${output}`)
}
