import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type HttpSettings, tlsFilesOf } from '../settings/http-lines.ts'
import type { LazyLibrary } from './lazy-library.ts'
import { firstLine, log } from './run-program.ts'

/** A server, and what its tools use. */
interface ServeOptions {
  /** Of the program. */
  name: string
  settings: HttpSettings
  library: Pick<LazyLibrary<never>, 'close'>
  /** Called for each connection. */
  createServer: (onError: (error: unknown) => void) => McpServer
}

/** Serve until a signal ends the process, or over stdio until the client is gone. */
export async function serve(options: ServeOptions): Promise<void> {
  const { name, settings, library } = options
  const close = await listen(options, (error) => log(name, firstLine(error)))
  const stop = async (): Promise<void> => {
    await close()
    await library.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  // Without a client, the library has nothing more to do.
  if (settings.http === undefined) process.stdin.once('end', () => void library.close())
}

async function listen(
  { name, settings, createServer }: ServeOptions,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const { http, httpHosts, trustedProxies, token } = settings
  const create = (): McpServer => createServer(onError)
  if (http === undefined) {
    const handle = serveStdio(create, { onerror: onError })
    if (process.stdin.isTTY)
      log(
        name,
        'serving MCP over stdio. MCP clients start this command; press Ctrl-C to stop, and see --help for the commands.',
      )
    return () => handle.close()
  }
  const { serveMcpHttp } = await import('../http/serve-mcp-http.ts')
  const tokenVariable = `${name.toUpperCase().replaceAll('-', '_')}_TOKEN`
  const endpoint = await serveMcpHttp({
    address: http,
    hosts: httpHosts,
    trustedProxies,
    tls: tlsFilesOf(settings),
    token,
    tokenVariable,
    createServer: create,
    onLog: (text) => log(name, text),
    onError,
  })
  log(name, `serving ${endpoint.url}`)
  if (token === undefined)
    log(name, `every process on this machine can call it; set ${tokenVariable} to require a token`)
  return endpoint.close
}
