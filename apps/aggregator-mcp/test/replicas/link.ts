import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way to an engine or a replica, which can be cut without either of them being told. */
export interface Link {
  port: number
  /** Connections so far. */
  count(): number
  /** Nothing passes any more. Connections stay open, and new ones are taken and get no answer. */
  cut(): void
  /**
   * `late`: what was sent meanwhile arrives now. `never`: all connections so far stay silent for
   * ever, as those to a machine that was replaced.
   */
  heal(arrives: 'late' | 'never'): void
  close(): void
}

export async function startLink(to: number): Promise<Link> {
  let isCut = false
  let count = 0
  const sockets = new Set<Socket>()
  let begin: (() => void)[] = []
  const follow = (from: Socket, other: Socket): void => {
    sockets.add(from)
    from
      .on('data', (bytes) => other.write(bytes))
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from)
        other.destroy()
      })
  }
  const server = createServer((near) => {
    count++
    const pass = (): void => {
      const far = connect(to, '127.0.0.1')
      follow(near, far)
      follow(far, near)
    }
    if (!isCut) return pass()
    near.pause().on('error', () => {})
    begin.push(() => !near.destroyed && pass())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    heal(arrives) {
      isCut = false
      const waiting = begin
      begin = []
      if (arrives === 'never') return sockets.clear()
      for (const socket of sockets) socket.resume()
      for (const one of waiting) one()
    },
    close: () => void server.close(),
  }
}
