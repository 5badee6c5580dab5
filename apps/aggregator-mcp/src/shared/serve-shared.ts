import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { attempt } from '@pith-mcp/base/attempt'
import { readLines } from '@pith-mcp/base/read-lines'
import { buildOf } from './build.ts'
import { type Hello, marks } from './lines.ts'

/** A client, by its shim. */
export interface SharedClient extends Hello {
  /** Lines of the protocol, in both directions. */
  socket: Socket
  /** Writes to the stderr of the shim. */
  log(text: string): void
  /** Ends the shim with this code. */
  exit(code: number): void
}

interface SharedOptions {
  address: string
  /** `import.meta.url` of the entry of the program. */
  entry: string
  /** Milliseconds without a client after which the process ends. */
  idleMs: () => number
  /** Resolves when the client has disconnected. */
  serve(client: SharedClient): Promise<void>
  /** No client is left, and none will come. */
  onEnd(): void
}

/** Milliseconds between looks whether another process has taken over. */
const lookMs = 500

/** Serves the shims of this user until none is left, or a newer process takes over. */
export async function serveShared(options: SharedOptions): Promise<void> {
  const { address, entry, idleMs, serve, onEnd } = options
  const build = JSON.stringify(buildOf(new URL(entry)))
  const main = fileURLToPath(entry)
  const program = stampOf(main)
  const clients = new Set<Socket>()
  /** Those that have sent their first line. */
  const known = new WeakSet<Socket>()
  let isLeaving = false
  let idle: NodeJS.Timeout | undefined

  function left(): void {
    if (clients.size > 0) return
    if (isLeaving) onEnd()
    else idle = setTimeout(leave, idleMs())
  }

  /** Takes no more clients, and asks those that are here to go to the process that took over. */
  function leave(): void {
    if (isLeaving) return
    isLeaving = true
    clearInterval(looking)
    if (isOurs()) rmSync(address, { force: true })
    server.close()
    // Who has not said anything yet connects again.
    for (const socket of clients)
      if (known.has(socket)) socket.write(`${marks.leave}\n`)
      else socket.destroy()
    left()
  }

  const server = createServer((socket) => {
    // What is gone from the disk cannot load the rest of itself.
    if (stampOf(main) !== program) return void socket.destroy()
    clearTimeout(idle)
    clients.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      clients.delete(socket)
      left()
    })
    socket.write(`${build}\n`)
    receiveHello(socket, (hello) => {
      known.add(socket)
      const client = {
        ...hello,
        socket,
        log: (text: string) =>
          void socket.write(`${marks.log}${text.replaceAll('\n', `\n${marks.log}`)}\n`),
        exit: (code: number) => void socket.end(`${marks.exit}${code}\n`),
      }
      void serve(client).finally(() => socket.end())
    })
  })
  const own = process.platform === 'win32' ? address : `${address}.${process.pid}`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(own, resolve)
  })
  if (own !== address) {
    chmodSync(own, 0o600)
    renameSync(own, address)
  }
  const stamp = stampOf(address)
  const isOurs = (): boolean => own === address || stampOf(address) === stamp
  const looking = setInterval(() => {
    const now = stampOf(main)
    if (!isOurs() || (now !== undefined && now !== program)) leave()
  }, lookMs)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isLeaving ? onEnd() : leave()))
  left()
}

const stampOf = (path: string): string | undefined =>
  attempt(() => {
    const { dev, ino, mtimeMs } = statSync(path)
    return `${dev} ${ino} ${mtimeMs}`
  }, undefined)

const isText = (value: unknown): boolean => typeof value === 'string'

/** Undefined for what no shim sends. */
function asHello(value: Hello): Hello | undefined {
  const { argv, cwd, env, wants } = value
  const isHello =
    Array.isArray(argv) &&
    argv.every(isText) &&
    isText(cwd) &&
    Object.values(env).every(isText) &&
    (wants === undefined || wants === 'console')
  return isHello ? value : undefined
}

/** Reads the first line of a shim; what follows it is left in the socket. */
function receiveHello(socket: Socket, onHello: (hello: Hello) => void): void {
  const read = readLines({
    onLine(line) {
      const hello = attempt(() => asHello(JSON.parse(line)), undefined)
      if (hello) onHello(hello)
      else socket.destroy()
    },
    onTooLong: () => void socket.destroy(),
  })
  const onData = (chunk: Buffer): void => {
    const end = chunk.indexOf(10) + 1
    if (end > 0) {
      socket.off('data', onData).pause()
      if (end < chunk.length) socket.unshift(chunk.subarray(end))
    }
    read(end > 0 ? chunk.subarray(0, end) : chunk)
  }
  socket.on('data', onData)
}
