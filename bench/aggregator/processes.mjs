// Starts children in process groups of their own and sees that none outlives this process. What a
// child leaves behind in another group, as a daemon, is known by its HOME, which is ours alone.
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const homes = new Set()
const groups = new Set()

function attempt(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The processes that were started with this folder as their HOME, by whomever. */
export function processesOf(home) {
  const mark = `\0HOME=${home}\0`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      attempt(() => `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`.includes(mark)),
    )
    .map(Number)
}

export function commandLineOf(pid) {
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')) ?? ''
}

/** Processor time of one process without its children, in ms; Linux counts it in steps of 10. */
export function processorTime(pid) {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').match(/\) (.*)/s) ?? []
  const [user, system] = fields.split(' ').slice(11, 13)
  return 10 * (Number(user) + Number(system))
}

/** Resident memory of one process without its children, in MB; its peak with `VmHWM`. */
export function residentMemory(pid, field = 'VmRSS') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = status.match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'))
  return Number(kilobytes) / 1000
}

export function createHome() {
  const home = mkdtempSync(join(tmpdir(), 'bench-aggregator-'))
  homes.add(home)
  return home
}

export function removeHome(home) {
  for (const pid of processesOf(home)) attempt(() => process.kill(pid, 'SIGKILL'))
  attempt(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  homes.delete(home)
}

export function start({ command, args, env = {} }, home, stdio) {
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, ...own } = process.env
  const child = spawn(command, args, {
    cwd: home,
    // What is measured is the process that is started.
    env: { ...own, AGGREGATOR_MCP_SHARE: 'off', ...env, HOME: home },
    stdio: [...stdio, openSync(join(home, 'stderr.log'), 'a')],
    detached: true,
  })
  child.on('error', () => undefined)
  if (child.pid !== undefined) groups.add(child.pid)
  return child
}

/** Asks the group to end, and ends it if it has not within a second. */
export async function stop(child) {
  if (child.pid === undefined) return
  const ended = new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    child.once('exit', resolve)
  })
  child.stdin?.end()
  attempt(() => process.kill(child.pid, 'SIGTERM'))
  await Promise.race([ended, wait(1_000)])
  killGroup(child.pid)
}

function killGroup(pid) {
  attempt(() => process.kill(-pid, 'SIGKILL'))
  groups.delete(pid)
}

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

process.on('exit', () => {
  for (const pid of groups) killGroup(pid)
  for (const home of homes) removeHome(home)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))
