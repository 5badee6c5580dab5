import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { mcpOverHttp, type Sender } from '../../../../packages/server-kit/test/run/mcp-over-http.ts'
import { serveUntilStopped } from '../../../../packages/server-kit/test/run/serve-until-stopped.ts'
import { parseConfig } from '../../src/config.ts'
import { serve } from '../../src/serve/serve.ts'

/** Listens on loopback until the test ends. Resolves to the port. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const schema = { inputSchema: { type: 'object' } }
/** Characters that people do not see, which a scan finds. */
const hidden = `Reads.${String.fromCodePoint(...[...'ignore'].map((one) => 0xe0000 + (one.codePointAt(0) ?? 0)))}`
const toolsOf = (path: string): object[] => [
  { name: 'read', description: 'Reads.', annotations: { readOnlyHint: true }, ...schema },
  { name: 'wipe', description: 'Wipes.', ...schema },
  { name: 'long', description: 'Long.', ...schema },
  ...(path === '/odd' ? [{ name: 'odd', description: hidden, ...schema }] : []),
]

/** MCP servers of 2025 over HTTP, one for each path; that of `/slow` answers nothing, and that of `/stuck` no call. */
const mcpServer: RequestListener = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const { url = '' } = request
  if (url === '/slow') return
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
  if (id === undefined) return void response.writeHead(202).end()
  if (url === '/stuck' && method === 'tools/call') return
  const text = params?.name === 'long' ? 'word '.repeat(8_000) : 'was read'
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      serverInfo: { name: url.slice(1), version: '1' },
      capabilities: { tools: {} },
    },
    'tools/list': { tools: toolsOf(url) },
    'tools/call': { content: [{ type: 'text', text }] },
    ping: {},
  }
  const result = results[method]
  const error = { code: -32601, message: 'Method not found' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
}

/** Entries of `mcpServers` for such servers, by name. */
export async function startServers(...names: readonly string[]) {
  const port = await listening(createServer((...given) => void mcpServer(...given)))
  return Object.fromEntries(
    names.map((name) => [name, { url: `http://127.0.0.1:${port}/${name}` }]),
  )
}

export const owner = 'token-of-the-owner'

interface ServeHere {
  mcpServers?: object
  aggregator?: object
  /** False: the file is named by `argv` or `environment`. */
  config?: false
  argv?: readonly string[]
  environment?: Readonly<Record<string, string>>
}

/** Serves over HTTP in this process, as the program does, until the test ends. */
export async function serveHere(options: ServeHere) {
  const { mcpServers = {}, aggregator, argv = [], environment = {} } = options
  const folder = temporaryFolder(onTestFinished)
  const config = join(folder, 'aggregator.json')
  const trust = { new: 'allow' }
  writeFileSync(config, JSON.stringify({ mcpServers, aggregator: { trust, ...aggregator } }))
  const named = options.config === false ? [] : ['--config', config]
  const fixed = ['--state', join(folder, 'state'), '--http', '127.0.0.1:0', ...named]
  const own = { HOME: folder, AGGREGATOR_MCP_TOKEN: owner, ...environment }
  const { settings } = parseConfig([...fixed, ...argv], own)
  const logs: string[] = []
  const log = (text: string): void => void logs.push(text)
  const stop = await serveUntilStopped(() => serve(settings, { log, record() {}, redactWith() {} }))
  onTestFinished(stop)
  const origin = /serving (http\S+)\/mcp$/m.exec(logs.join('\n'))?.[1] ?? ''
  const token = settings.token
  const client = mcpOverHttp(origin, { token })
  const { use } = client
  return {
    ...client,
    folder,
    logs,
    origin,
    stop,
    read: (module = 'a', sender?: Sender) => use('call', { module, tool_name: 'read' }, sender),
    /** Names of the modules that a client sees. */
    async modules(sender?: Sender): Promise<string[]> {
      const overview = await use('get_module_schema', {}, sender)
      return ['a', 'b'].filter((name) => new RegExp(`^${name}: `, 'm').test(overview))
    },
    schema: async (sender?: Sender) =>
      JSON.parse(await use('get_module_schema', { module: 'a' }, sender)),
    statusOf: async (path: string): Promise<number> =>
      (await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })).status,
    json: async (path: string, own = { token }): Promise<unknown> =>
      (await fetch(origin + path, { headers: { authorization: `Bearer ${own.token}` } })).json(),
  }
}
