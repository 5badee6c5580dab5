import { readdir, realpath } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import type { Confined, SandboxHost } from '../host/host.ts'
import type { NodeVersion } from '../host/node-version.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { entriesWithout, findHidden, type HiddenPath } from '../program/hidden-paths.ts'
import { isWithin } from '../program/is-within.ts'
import { programFiles } from '../program/program-files.ts'
import { visiblePaths } from '../program/visible-paths.ts'
import { checkArguments, checkVariables } from './check-node-options.ts'

/** First version of each release line whose permission model has no known hole. */
const firstSound: Readonly<Record<number, number>> = { 20: 20, 22: 22, 24: 13, 25: 3 }
const soundOnes = Object.entries(firstSound)
  .map(([line, first]) => `${line}.${first}`)
  .join(', ')
/** From this version on the network requires a permission, too. */
const firstWithNet = 25

/** Folders of the running system: they expose other processes. */
const closed = new Set(['dev', 'proc', 'run', 'sys', 'tmp'])

/**
 * Confines by Node's permission model: no child processes, threads or native code, and only listed
 * files. Node calls it a seat belt: it does not stop malicious code.
 * @throws {Error} why the server cannot be started this way
 */
export async function confineByNode(server: SandboxedServer, host: SandboxHost): Promise<Confined> {
  const { sandbox, args } = server
  if (!/^node(?:js)?(?:\.exe)?$/i.test(basename(server.command)))
    throw new Error(`the permission model of Node requires the command node, not ${server.command}`)
  const env = { ...sandbox.env, ...server.env }
  checkVariables(env)
  checkArguments(args)
  const { command, ofScripts } = await programFiles(server)
  const version = await host.nodeVersion(command)
  checkVersion(version, sandbox.network)
  const visible = await visiblePaths(server, ofScripts)
  const hidden = await findHidden(sandbox.hidden ?? [])
  const all = sandbox.readsAll ? await allFiles() : []
  const places = [...all, ...visible]
  const reads = (await Promise.all(places.map((place) => without(hidden, place)))).flat()
  const writes = visible.flatMap(({ path, real, isWritable }) => (isWritable ? [path, real] : []))
  return {
    launch: {
      command,
      args: [
        ...flags(version, sandbox.network),
        ...allow('read', reads),
        ...allow('write', writes),
        ...args,
      ],
      env,
      cwd: server.cwd,
      isConfined: true,
    },
    report: {
      by: 'node',
      network: sandbox.network,
      readsAll: sandbox.readsAll,
      reads: visible.flatMap(({ path, isWritable }) => (isWritable ? [] : [path])),
      writes: visible.flatMap(({ path, isWritable }) => (isWritable ? [path] : [])),
      hides: hidden.flatMap(({ path }) =>
        places.some(({ real }) => isWithin(path, real)) ? [path] : [],
      ),
      variables: Object.keys(sandbox.env),
    },
  }
}

function checkVersion({ text, major, minor }: NodeVersion, network: boolean): void {
  const needed = firstSound[major]
  if (major < 26 && (needed === undefined || minor < needed))
    throw new Error(
      `the permission model of Node ${text} is missing or has known holes: update Node (${soundOnes} or newer)`,
    )
  if (!network && major < firstWithNet)
    throw new Error(
      `Node ${text} cannot block the network: install bubblewrap (on Linux), use Node ${firstWithNet} or newer, or allow "network": true`,
    )
}

const flags = ({ major }: NodeVersion, network: boolean): string[] => [
  major < 22 ? '--experimental-permission' : '--permission',
  // SQLite opens files without a permission.
  ...(major < 22 ? ['--disable-warning=ExperimentalWarning'] : ['--no-experimental-sqlite']),
  ...(major >= firstWithNet && network ? ['--allow-net'] : []),
]

/** `*` in a path is a wildcard, and older versions separate paths by commas. */
function allow(what: 'read' | 'write', paths: readonly string[]): string[] {
  const unfit = paths.find((path) => /[*,]/.test(path))
  if (unfit !== undefined)
    throw new Error(
      `the permission model of Node does not accept paths with * or a comma, such as ${unfit}`,
    )
  return [...new Set(paths)].map((path) => `--allow-fs-${what}=${path}`)
}

/** A path as given and without links; or, if it contains hidden ones, what else it has now. */
async function without(
  hidden: readonly HiddenPath[],
  { path, real }: { path: string; real: string },
): Promise<string[]> {
  if (hidden.some((one) => isWithin(real, one.path))) return []
  if (!hidden.some((one) => isWithin(one.path, real))) return [path, real]
  const shown = await Promise.all(
    (await entriesWithout(real, hidden)).map(async (entry) => {
      const target = await realpath(entry.path).catch(() => real)
      const isAbove = hidden.some((one) => isWithin(one.path, target))
      // A link to a folder with hidden paths would open them under another name.
      if (/[*,]/.test(entry.path) || (entry.target !== undefined && isAbove)) return []
      return without(hidden, { path: join(path, basename(entry.path)), real: target })
    }),
  )
  return shown.flat()
}

/** All folders except those of the running system, which expose variables of other processes. */
async function allFiles(): Promise<{ path: string; real: string }[]> {
  const { root } = parse(process.cwd())
  const names = await readdir(root)
  const shown = names.filter((name) => !closed.has(name) && !/[*,]/.test(name))
  return Promise.all(
    shown.map(async (name) => {
      const path = join(root, name)
      return { path, real: await realpath(path).catch(() => path) }
    }),
  )
}
