import { homedir } from 'node:os'
import { isAbsolute, parse, resolve } from 'node:path'
import { type Environment, lookUpMarker } from './expand-variables.ts'
import type { Sandbox } from './sandbox.ts'
import type { SandboxEntry } from './sandbox-entry.ts'

/**
 * Variables that programs need: the search path, locale and time zone, and on Windows to start at
 * all.
 */
const ordinary = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SYSTEMROOT', 'PATHEXT']

/** Variables that commands which start containers need. */
const ofRunners = [
  ...['HOME', 'LOGNAME', 'USER', 'SHELL', 'TERM', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME'],
  ...['DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT', 'CONTAINER_HOST'],
  ...['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'TEMP'],
]

interface HostEnvironment {
  environment: Environment
  cwd: string | undefined
  expand(text: string, at: string): string
  /** Called with the reason why the server cannot be used. */
  fault(text: string): void
}

/** Expands the variables of a sandbox and makes its paths absolute. */
export function toSandbox(entry: SandboxEntry, around: HostEnvironment): Sandbox {
  const { environment, expand } = around
  const { by, env, files = 'none', network = false } = entry
  const own = Array.isArray(by)
    ? by.map((text, at) => plain(expand(text, `sandbox.by[${at}]`), around))
    : by
  const names = Array.isArray(by) ? [...ordinary, ...ofRunners, ...(env ?? [])] : (env ?? ordinary)
  const valued = [...new Set(names)].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const listed = typeof files === 'object' ? files : {}
  const pathsOf = (kind: 'read' | 'write'): string[] =>
    (listed[kind] ?? []).map((text, at) =>
      absolute(expand(text, `sandbox.files.${kind}[${at}]`), `sandbox.files.${kind}`, around),
    )
  const reads = pathsOf('read')
  const isAll = (path: string): boolean => path === parse(path).root
  return {
    ...(own !== undefined && { by: own }),
    env: Object.fromEntries(valued),
    listed: (env ?? []).filter((name) => valued.some(([known]) => known === name)),
    searchPath: environment['PATH'] ?? '',
    readsAll: files === 'read' || reads.some(isAll),
    reads: reads.filter((path) => !isAll(path)),
    writes: pathsOf('write'),
    network,
  }
}

function absolute(text: string, at: string, around: HostEnvironment): string {
  const path = plain(text, around).replace(/^~(?=[/\\]|$)/, homedir())
  if (isAbsolute(path)) return resolve(path)
  if (around.cwd === undefined || around.cwd.includes(lookUpMarker))
    around.fault(`${at} ${text} is relative, but the server has no cwd`)
  return resolve(around.cwd ?? '', path)
}

/** Secrets are for the server only, not for its sandbox. */
function plain(text: string, { fault }: HostEnvironment): string {
  if (text.includes(lookUpMarker))
    fault('sandbox refers to a secret, which is looked up only for the server itself')
  return text.replaceAll(lookUpMarker, '')
}
