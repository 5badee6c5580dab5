import { readdir } from 'node:fs/promises'
import { basename, join, parse } from 'node:path'
import type { Confined, Machine } from '../machine/machine.ts'
import type { NodeVersion } from '../machine/node-version.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { programFiles } from '../program/program-files.ts'
import { visiblePaths } from '../program/visible-paths.ts'
import { checkArguments, checkVariables } from './check-node.ts'

/** The first of each line whose permission model has no hole that is known. */
const firstSound: Readonly<Record<number, number>> = { 20: 20, 22: 22, 24: 13, 25: 3 }
const soundOnes = Object.entries(firstSound)
  .map(([line, first]) => `${line}.${first}`)
  .join(', ')
/** From this one on the network needs a permission too. */
const firstWithNet = 25

/** Of the running system: what stands there is of other processes. */
const closed = new Set(['dev', 'proc', 'run', 'sys', 'tmp'])

/**
 * Node's permission model: no processes, threads or native code, and files as they are listed. Node
 * calls it a seat belt: it holds code that does not set out to break it.
 * @throws {Error} why a server cannot be started so
 */
export async function byNode(server: SandboxedServer, machine: Machine): Promise<Confined> {
  const { sandbox, args } = server
  if (!/^node(?:js)?(?:\.exe)?$/i.test(basename(server.command)))
    throw new Error(
      `the permission model of Node is for the command node, not for ${server.command}`,
    )
  const env = { ...sandbox.env, ...server.env }
  checkVariables(env)
  checkArguments(args)
  const { command, ofScripts } = await programFiles(server)
  const version = await machine.nodeVersion(command)
  checkVersion(version, sandbox.network)
  const visible = await visiblePaths(server, ofScripts)
  const reads = [
    ...(sandbox.readsAll ? await allFiles() : []),
    ...visible.flatMap(({ path, real }) => [path, real]),
  ]
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
      variables: Object.keys(sandbox.env),
    },
  }
}

function checkVersion({ text, major, minor }: NodeVersion, network: boolean): void {
  const needed = firstSound[major]
  if (major < 26 && (needed === undefined || minor < needed))
    throw new Error(
      `the permission model of Node ${text} is missing or has holes that are known: update Node (${soundOnes} or newer)`,
    )
  if (!network && major < firstWithNet)
    throw new Error(
      `Node ${text} cannot cut off the network: install bubblewrap (on Linux), or use Node ${firstWithNet} or newer, or allow "network": true`,
    )
}

const flags = ({ major }: NodeVersion, network: boolean): string[] => [
  major < 22 ? '--experimental-permission' : '--permission',
  // It opens files without asking.
  ...(major < 22 ? ['--disable-warning=ExperimentalWarning'] : ['--no-experimental-sqlite']),
  ...(major >= firstWithNet && network ? ['--allow-net'] : []),
]

/** A `*` in a path would stand for anything, and older ones part paths at commas. */
function allow(what: 'read' | 'write', paths: readonly string[]): string[] {
  const unfit = paths.find((path) => /[*,]/.test(path))
  if (unfit !== undefined)
    throw new Error(
      `the permission model of Node takes no path with * or a comma, such as ${unfit}`,
    )
  return [...new Set(paths)].map((path) => `--allow-fs-${what}=${path}`)
}

/** All but the running system, where the variables of other processes stand. */
async function allFiles(): Promise<string[]> {
  const { root } = parse(process.cwd())
  const names = await readdir(root)
  return names
    .filter((name) => !closed.has(name) && !/[*,]/.test(name))
    .map((name) => join(root, name))
}
