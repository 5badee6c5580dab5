import { execFile } from 'node:child_process'
import { isProgram } from './is-program.ts'
import { elsewhere, socketFilter } from './socket-filter.ts'

export interface Bubblewrap {
  path: string
  /** It can limit the size of folders in memory. */
  knowsSize: boolean
  /** It can keep servers from creating namespaces; tried on this machine. */
  refusesNamespaces: boolean
}

/** Fixed paths instead of PATH: a server may be able to write to a folder in PATH. */
const places = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/wrappers/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]

const tried = [
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev', 'true'],
]

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macOS', win32: 'Windows' }

/** Milliseconds for one trial. */
const maxAgeMs = 5_000

let cached: Promise<Bubblewrap> | undefined

/** Finds and tries bubblewrap, once. @throws {Error} why it cannot be used, and what to do */
export async function findBubblewrap(
  platform: NodeJS.Platform = process.platform,
): Promise<Bubblewrap> {
  if (platform !== 'linux')
    throw new Error(
      `${systems[platform] ?? platform} has no sandbox, as bubblewrap exists on Linux only: ${elsewhere}`,
    )
  cached ??= find().catch((error: unknown) => {
    // It may be installed while this process runs.
    cached = undefined
    throw error
  })
  return cached
}

async function find(): Promise<Bubblewrap> {
  socketFilter(true)
  const path = await firstOf(places)
  if (path === undefined)
    throw new Error('bubblewrap is not installed: install it (apt install bubblewrap)')
  const [version, trial, refusal] = await Promise.all([
    runBounded(path, ['--version']),
    runBounded(path, tried),
    runBounded(path, ['--unshare-user', '--disable-userns', ...tried]),
  ])
  if (!trial.isHealthy)
    throw new Error(
      `bubblewrap cannot create namespaces on this machine (${firstLine(trial.stderr)}): allow unprivileged user namespaces (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns, or the options of the container)`,
    )
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version.stdout) ?? []
  return {
    path,
    knowsSize: Number(major) > 0 || Number(minor) >= 7,
    refusesNamespaces: refusal.isHealthy,
  }
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isProgram(path)) return path
  return undefined
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''

/** Runs a program for its output: with an empty environment, for 5 s at most. */
const runBounded = (command: string, args: readonly string[]) =>
  new Promise<{ isHealthy: boolean; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env: {}, timeout: maxAgeMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 },
      (error, stdout, stderr) =>
        resolve({ isHealthy: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    )
    child.stdin?.end()
  })
