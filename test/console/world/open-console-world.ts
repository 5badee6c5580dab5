import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const main = fileURLToPath(new URL('../../../apps/aggregator-mcp/dist/main.js', import.meta.url))
const server = fileURLToPath(new URL('fixture-server.mjs', import.meta.url))

/** The owner's token, which is valid for the console too. */
const ownerToken = 'token-of-the-owner'

/** A server of a kind in the catalogue. If the file `twist` exists, it overrides descriptions. */
export const fixture = (kind: string, twist?: string) => ({
  command: process.execPath,
  args: [server, kind, ...(twist ? [twist] : [])],
})

export interface ConsoleWorldOptions {
  mcpServers: (folder: string) => Record<string, object>
  aggregator?: object
  /** Fills the folder of the journal before the start. */
  seed?: (journal: string) => void
  env?: NodeJS.ProcessEnv
}

/** The aggregator with its console as a process, over HTTP on a free port. */
export async function openConsoleWorld(options: ConsoleWorldOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-console-'))
  const state = join(folder, 'state')
  const config = join(folder, 'mcp.json')
  const { mcpServers, aggregator, seed } = options
  const settings = { trust: { new: 'allow' }, ...aggregator }
  const home = join(folder, 'home')
  mkdirSync(home)
  // The clients of whoever runs this are left alone.
  const own = { HOME: home, XDG_CONFIG_HOME: '', CODEX_HOME: '', CLAUDE_CONFIG_DIR: '' }
  const env = { ...process.env, ...own, AGGREGATOR_MCP_TOKEN: ownerToken, ...options.env }
  writeFileSync(config, JSON.stringify({ mcpServers: mcpServers(folder), aggregator: settings }))
  seed?.(join(state, 'journal'))
  const given = ['--config', config, '--state', state]
  const [first, url] = await start('0')
  let child = first

  async function start(port: string): Promise<[ChildProcessByStdio<null, null, Readable>, string]> {
    const begun = spawn(process.execPath, [main, ...given, '--http', port], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const said = await new Promise<string>((resolve, reject) => {
      let text = ''
      begun.stderr.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (/serving \S+\/mcp\n/.test(text)) resolve(text)
      })
      begun.once('exit', () => reject(new Error(`The aggregator ended: ${text}`)))
    })
    return [begun, /serving (\S+)\/mcp/.exec(said)?.[1] ?? '']
  }

  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  const run = (...words: string[]) =>
    execFileSync(process.execPath, [main, ...words, ...given], { encoding: 'utf8', env })

  return {
    url,
    folder,
    home,
    run,
    /** What a command prints, whether it succeeds or not. Servers of this process can answer it. */
    output: (...words: string[]) =>
      new Promise<string>((resolve) => {
        const argv = [main, ...words, ...given]
        execFile(process.execPath, argv, { env }, (_error, stdout) => resolve(stdout))
      }),
    /** A link that signs in once. */
    link: () => run('console', '--print').trim(),
    async connect(token = ownerToken): Promise<Client> {
      const client = new Client({ name: 'fixture client', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }),
      )
      return client
    },
    /** Restarts the aggregator at the same address. */
    async restart() {
      await stop()
      const [begun] = await start(new URL(url).port)
      child = begun
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type ConsoleWorld = Awaited<ReturnType<typeof openConsoleWorld>>
