// PostgreSQL, durable and with counted statements, and Redis: empty, on loopback, removed at the end.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHome, freePort, removeHome, start, stop, wait } from './processes.mjs'

const root = '/usr/lib/postgresql'
const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
const bin = join(root, versions[0] ?? 'none', 'bin')
/** PostgreSQL refuses root. */
const user = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
const asPostgres = (command, args) =>
  process.getuid() === 0
    ? { command: 'setpriv', args: [...user, command, ...args] }
    : { command, args }
/** What fails until an engine is ready says nothing. */
const silent = { stdio: ['ignore', 'pipe', 'ignore'] }
const run = ({ command, args }, options) => execFileSync(command, args, options).toString()

async function untilReady(isReady) {
  for (let tries = 0; tries < 400; tries++)
    try {
      return isReady()
    } catch {
      await wait(25)
    }
  throw new Error('An engine did not start')
}

export async function startPostgres() {
  const home = createHome()
  if (process.getuid() === 0) execFileSync('chown', ['postgres:postgres', home])
  const data = join(home, 'data')
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']
  run(asPostgres(join(bin, 'initdb'), initialise), { ...silent, cwd: home })
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_preload_libraries: 'pg_stat_statements',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = asPostgres(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options])
  const child = start(server, home, ['ignore', 'ignore'])
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const query = (text) =>
    run({ command: join(bin, 'psql'), args: [url, '-XAtc', text] }, silent).trim()
  await untilReady(() => query('CREATE EXTENSION pg_stat_statements'))
  return {
    url,
    /** Statements that anyone but this function has sent. */
    statements: () =>
      Number(
        query(
          "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query !~ 'pg_stat_statements'",
        ),
      ),
    async close() {
      await stop(child)
      removeHome(home)
    },
  }
}

export async function startRedis() {
  const home = createHome()
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
  const child = start({ command: 'redis-server', args }, home, ['ignore', 'ignore'])
  const ask = (...words) =>
    run({ command: 'redis-cli', args: ['-p', String(port), ...words] }, silent)
  await untilReady(() => ask('PING'))
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Commands by anyone but this function; those inside a script count, too. */
    commands: () =>
      [...ask('INFO', 'commandstats').matchAll(/^cmdstat_(\w+)[^:]*:calls=(\d+)/gm)]
        .filter(([, name]) => name !== 'info')
        .reduce((sum, [, , calls]) => sum + Number(calls), 0),
    async close() {
      await stop(child)
      removeHome(home)
    },
  }
}
