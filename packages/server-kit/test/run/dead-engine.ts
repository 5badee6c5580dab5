import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** An engine that hangs up on everybody, and notes who came. */
export async function startDeadEngine() {
  let visits = 0
  const server = createServer((socket: Socket) => {
    visits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, visits: () => visits }
}
