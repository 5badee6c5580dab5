import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A throw-away engine of this machine, on loopback. */
export interface Engine {
  url: string
  port: number
  /** SIGKILL, as after a crash; `start` starts it again with the same data. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops all its processes, as they are, until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
}

const postgresFolder = (): string | undefined => {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const found = readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
  return found.find((folder) => existsSync(join(folder, 'initdb')))
}

const redisProgram = (): string | undefined =>
  ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path))

/** Tests of engines run in the long tier, and are skipped where an engine is missing. */
export const hasPostgres: boolean =
  process.env['LONG'] !== undefined && postgresFolder() !== undefined
export const hasRedis: boolean = process.env['LONG'] !== undefined && redisProgram() !== undefined

const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses root. */
const asPostgres = (command: string, args: string[]): [string, string[]] =>
  isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
    : [command, args]

/** Starts PostgreSQL with an empty database. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<Engine> {
  const bin = postgresFolder()
  if (bin === undefined) throw new Error('PostgreSQL is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'pith-postgres-'))
  if (isRoot) execFileSync('chown', ['postgres:postgres', folder])
  const data = join(folder, 'data')
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(...asPostgres(join(bin, 'initdb'), initialise), { stdio: 'ignore', cwd: folder })
  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const run = () =>
    spawn(...asPostgres(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options]), {
      stdio: 'ignore',
      cwd: folder,
    })
  const isReady = (): boolean => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], {
        stdio: 'ignore',
      })
      return true
    } catch {
      return false
    }
  }
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  return engineOf({ url, port, folder, run, isReady, end: 'SIGINT' })
}

/** Starts an empty Redis. */
export async function startRedis(): Promise<Engine> {
  const program = redisProgram()
  if (program === undefined) throw new Error('Redis is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'pith-redis-'))
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const run = () => spawn(program, args, { stdio: 'ignore', cwd: folder })
  const isReady = async (): Promise<boolean> => {
    const { connect } = await import('node:net')
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
      socket.on('data', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
  }
  return engineOf({ url: `redis://127.0.0.1:${port}`, port, folder, run, isReady, end: 'SIGTERM' })
}

interface EngineParts {
  url: string
  port: number
  folder: string
  run: () => ChildProcess
  isReady: () => boolean | Promise<boolean>
  end: NodeJS.Signals
}

async function engineOf({ url, port, folder, run, isReady, end }: EngineParts): Promise<Engine> {
  let child: ChildProcess | undefined
  const gone = async (signal: NodeJS.Signals): Promise<void> => {
    const own = child
    child = undefined
    if (own === undefined || own.exitCode !== null) return
    const exited = new Promise((resolve) => own.once('exit', resolve))
    own.kill(signal)
    await exited
  }
  const engine: Engine = {
    url,
    port,
    kill: () => gone('SIGKILL'),
    signal(signal) {
      const { pid = 0 } = child ?? {}
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      for (const one of [pid, ...children.split(' ').filter(Boolean).map(Number)])
        try {
          process.kill(one, signal)
        } catch {
          // It has ended since.
        }
    },
    async start() {
      child = run()
      for (let tries = 0; tries < 300; tries++) {
        if (await isReady()) return
        // After SIGKILL, processes of the former PostgreSQL may still use its memory.
        if (child.exitCode !== null) child = run()
        await sleep(50)
      }
      throw new Error(`The engine at ${url} did not start.`)
    },
    async stop() {
      await gone(end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await engine.start()
  process.once('exit', () => child?.kill('SIGKILL'))
  return engine
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
