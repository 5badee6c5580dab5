import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../../../servers/src/config/read-config.ts'
import { createAggregator } from '../../../src/server/aggregator.ts'
import { textOf } from '../../fake-servers.ts'

export const tryingServer: string = fileURLToPath(new URL('trying-server.mjs', import.meta.url))

/** What a server in a sandbox could be after: files, folders, listeners on this machine. */
export async function createPrey() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-sandbox-')))
  const at = (...names: string[]): string => join(folder, ...names)
  for (const name of ['docs', 'data', 'home']) mkdirSync(at(name))
  writeFileSync(at('secret'), 'the secret')
  writeFileSync(at('docs', 'page'), 'a page')
  const tcp = await listening(createServer(), 0)
  const local = await listening(createServer(), at('docs', 'socket'))
  const abstract =
    process.platform === 'linux' ? await listening(createServer(), `\0${folder}`) : undefined
  const { port } = tcp.address() as { port: number }
  return {
    folder,
    at,
    port,
    isThere: (...names: string[]) => existsSync(at(...names)),
    remove() {
      for (const server of [tcp, local, abstract]) server?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Prey = Awaited<ReturnType<typeof createPrey>>

const listening = (server: Server, where: string | number): Promise<Server> =>
  new Promise((resolve) => {
    server.on('connection', (socket) => socket.end())
    const done = (): void => resolve(server)
    if (typeof where === 'number') server.listen(where, '127.0.0.1', done)
    else server.listen(where, done)
  })

/** A server as a configuration says; `tried` is what it says came of a try, without `hidden`. */
export async function startTrying(
  entry: object,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  hidden?: readonly string[],
) {
  const text = JSON.stringify({
    mcpServers: { it: { command: process.execPath, args: [tryingServer], ...entry } },
  })
  const { servers } = await readConfig(text, environment)
  for (const server of servers)
    if (server.type === 'stdio' && server.sandbox && hidden)
      server.sandbox = { ...server.sandbox, hidden }
  const aggregator = createAggregator({ servers })
  return {
    server:
      servers[0] ??
      (() => {
        throw new Error('no server')
      })(),
    async tried(tool_name: string, params: object = {}): Promise<string> {
      const name = 'call'
      const args = { module: 'it', tool_name, params }
      try {
        return textOf(
          await aggregator.request({ method: 'tools/call', params: { name, arguments: args } }),
        )
      } catch (error) {
        return (error as Error).message
      }
    },
    stop: () => aggregator.close(),
  }
}

export type Trying = Awaited<ReturnType<typeof startTrying>>
