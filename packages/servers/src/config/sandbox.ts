import { homedir } from 'node:os'
import { isAbsolute, parse, resolve } from 'node:path'
import { z } from 'zod'
import { type Environment, type Expander, lookUpMarker } from './expand-variables.ts'

const paths = z.array(z.string().min(1).max(4_096)).max(100)
const variables = z
  .array(z.string().regex(/^[^=\s\0]+$/, 'must be the name of a variable'))
  .max(200)

/**
 * `sandbox` of an entry as written; all members are optional, and without them little is allowed.
 */
export const sandboxEntry = z.strictObject({
  /** The backend, or a command prefix. Default: bubblewrap. */
  by: z
    .union(
      [
        z.enum(['bubblewrap']).meta({ title: 'bubblewrap' }),
        z.array(z.string()).min(1).max(200).meta({ title: 'A command of your own' }),
      ],
      { error: 'must be "bubblewrap" or a command as a list' },
    )
    .optional(),
  env: variables.optional(),
  files: z
    .union(
      [
        z.enum(['none', 'read']).meta({ title: 'No files, or all to read' }),
        z
          .strictObject({ read: paths.optional(), write: paths.optional() })
          .meta({ title: 'These paths' }),
      ],
      { error: 'must be "none", "read" or {"read": […], "write": […]}' },
    )
    .optional(),
  network: z.boolean().optional(),
})

type SandboxEntry = z.output<typeof sandboxEntry>

/** Returns what is contradictory in an entry. */
export function faultOfSandbox({ by, files, network }: SandboxEntry): string | undefined {
  if (!Array.isArray(by)) return undefined
  if (by[0]?.trim() === '') return 'has an empty command in sandbox.by'
  const key = files !== undefined ? 'files' : network !== undefined ? 'network' : undefined
  return (
    key &&
    `has sandbox.${key}, which cannot be enforced through a command of your own: express it in the command`
  )
}

/** What a server may access, with absolute paths. */
export type Sandbox = ReturnType<typeof toSandbox> & {
  /** Absolute paths that are not shown, whatever is listed: those of the aggregator itself. */
  hidden?: readonly string[] | undefined
}

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

/** Expands the variables of a sandbox and makes its paths absolute. */
export function toSandbox(
  { by, env, files = 'none', network = false, ...rest }: SandboxEntry,
  cwd: string | undefined,
  environment: Environment,
  { expand, problems }: Expander,
) {
  /** Secrets are for the server only, not for its sandbox. */
  function literal(text: string, at: string): string {
    const expanded = expand(text, at)
    if (expanded.includes(lookUpMarker))
      problems.push('sandbox refers to a secret, which is looked up only for the server itself')
    return expanded.replaceAll(lookUpMarker, '')
  }
  function absolute(text: string, at: string, index: number): string {
    const path = literal(text, `${at}[${index}]`).replace(/^~(?=[/\\]|$)/, homedir())
    if (!isAbsolute(path) && (cwd === undefined || cwd.includes(lookUpMarker)))
      problems.push(`${at} ${path} is relative, but the server has no cwd`)
    return resolve(cwd ?? '', path)
  }
  const backend = Array.isArray(by) ? by.map((text, at) => literal(text, `sandbox.by[${at}]`)) : by
  const names = Array.isArray(by) ? [...ordinary, ...ofRunners, ...(env ?? [])] : (env ?? ordinary)
  const valued = [...new Set(names)].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  const fileLists = typeof files === 'object' ? files : {}
  const pathsOf = (kind: 'read' | 'write'): string[] =>
    (fileLists[kind] ?? []).map((text, index) => absolute(text, `sandbox.files.${kind}`, index))
  const reads = pathsOf('read')
  const isAll = (path: string): boolean => path === parse(path).root
  return {
    ...rest,
    by: backend,
    /** Variables of this process that the server gets in addition to its own `env`. */
    env: Object.fromEntries(valued),
    /** The names in `env` that were listed in the configuration. */
    listed: (env ?? []).filter((name) => valued.some(([key]) => key === name)),
    /** The `PATH` in which commands are looked up. */
    searchPath: environment['PATH'] ?? '',
    readsAll: files === 'read' || reads.some(isAll),
    reads: reads.filter((path) => !isAll(path)),
    writes: pathsOf('write'),
    network,
  }
}
