import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = '/usr/lib/postgresql'
/** PostgreSQL refuses root. */
const asPostgres = (command, args) =>
  process.getuid() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
    : [command, args]

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** An empty PostgreSQL with the default settings, on loopback: its URL, and what ends it. */
export async function startPostgres() {
  const newest = readdirSync(root).sort((a, b) => b - a)[0]
  const bin = join(root, newest, 'bin')
  const folder = mkdtempSync(join(tmpdir(), 'pith-bench-postgres-'))
  if (process.getuid() === 0) execFileSync('chown', ['postgres:postgres', folder])
  const data = join(folder, 'data')
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(...asPostgres(join(bin, 'initdb'), init), { stdio: 'ignore', cwd: folder })
  const port = await freePort()
  const args = ['-D', data, '-p', port, '-c', 'unix_socket_directories=']
  const child = spawn(...asPostgres(join(bin, 'postgres'), args), { stdio: 'ignore', cwd: folder })
  process.once('exit', () => child.kill('SIGKILL'))
  const isReady = () => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', port], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
