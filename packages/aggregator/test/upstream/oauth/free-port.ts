import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to other sockets: Linux from 32,768, macOS and Windows from 49,152. */
const range = { from: 20_000, count: 12_000 }

/** A port of 127.0.0.1 that nothing listens on, and that the system gives to nobody else meanwhile. */
export async function freePort(): Promise<number> {
  const port = range.from + Math.floor(Math.random() * range.count)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
